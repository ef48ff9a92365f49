"""Runs the client against a server of its own: STRATA is the program, SCRIPTEDMODEL a model that answers by rules."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from strata_memory import Client, StrataError

ROOT = Path(__file__).resolve().parent.parent


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.home = cls.directory.name
        serving = json.loads(cls.begin(os.environ["STRATA"], "serve", "--listen", "127.0.0.1:0", "-o", "jsonl"))
        cls.model = cls.begin(os.environ["SCRIPTEDMODEL"]).strip()
        cls.url = "http://" + serving["address"]
        cls.memory = Client(cls.home)
        cls.tcp = Client(url=cls.url, token=Path(serving["token_file"]).read_text().strip())

    @classmethod
    def begin(cls, *command):
        """Starts a program, and returns the first line that it prints."""
        child = subprocess.Popen(command, env={**os.environ, "STRATA_HOME": cls.home, "STRATA_LOG_LEVEL": "error"}, stdout=subprocess.PIPE, text=True)

        def end():
            child.send_signal(signal.SIGINT)
            child.wait(30)
            child.stdout.close()

        cls.addClassCleanup(end)
        return child.stdout.readline()

    def refused(self, call, *args, **fields):
        """The error that a call is refused with."""
        with self.assertRaises(StrataError) as caught:
            call(*args, **fields)
        return caught.exception

    def test_what_is_saved_over_the_socket_is_found_over_tcp(self):
        saved = self.memory.call("save", content="The ferry to Ghent leaves at six", type="user")
        hits = self.tcp.call("recall", query="when does the ferry to Ghent leave?")["hits"]
        self.assertEqual(hits[0]["id"], saved["id"])

    def test_errors_have_the_code_hint_and_details_of_the_server(self):
        unknown = self.refused(self.memory.call, "fact", id="fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB")
        self.assertEqual(unknown.code, "not_found")
        self.assertTrue(unknown.request_id.startswith("req_"))
        invalid = self.refused(self.memory.call, "recall", query="x", max_results=-1)
        self.assertEqual(invalid.code, "invalid")
        self.assertTrue(invalid.hint)
        self.assertEqual(self.refused(Client(url=self.url, token="wrong").call, "recall", query="x").code, "denied")
        self.assertEqual(self.refused(Client(self.home + "/nowhere").call, "recall", query="x").code, "unavailable")

    def test_a_call_with_the_same_key_decides_once(self):
        once = self.memory.call("save", content="The spare key hangs in the shed", idempotency_key="key-1")
        again = self.memory.call("save", content="The spare key hangs in the shed", idempotency_key="key-1")
        self.assertEqual(again["decision_id"], once["decision_id"])
        self.assertTrue(again["replayed"])

    def test_lines_go_out_and_come_in(self):
        self.memory.call("save", content="The bicycle needs a new chain")
        for client in (self.memory, self.tcp):
            written = list(client.receive("export"))
            self.assertEqual(json.loads(written[0])["kind"], "header")
            read = client.send("import", written, dry_run=True)
            self.assertEqual(read["facts"], 0)
            self.assertGreater(read["known"], 0)

    def test_long_work_tells_how_it_ends(self):
        self.assertTrue(self.memory.follow("reindex", lambda done, total: None))
        self.assertEqual(self.refused(self.memory.follow, "extractor_replay", lambda done, total: None, session="none").code, "not_found")

    def test_events_tell_what_happens(self):
        for client in (self.memory, self.tcp):
            last = client.call("events", limit=1)["events"]
            after = last[-1]["change"] if last else 0
            saved = client.call("save", content=f"The choir sings on Friday {client is self.tcp}")
            for event in client.events(kinds=["write"], after=after):
                self.assertEqual(event["ref"], saved["decision_id"])
                break

    def test_an_answer_that_breaks_off_is_an_error(self):
        """A part is never taken for the whole."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def answer():
                connection, _ = listener.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"\n\r\n")

            thread = threading.Thread(target=answer)
            thread.start()
            broken = Client(url="http://127.0.0.1:%d" % listener.getsockname()[1])
            self.assertEqual(self.refused(lambda: list(broken.receive("export"))).code, "unavailable")
            thread.join()

    def test_the_agent_remembers_across_sessions(self):
        def say(session, text):
            return subprocess.run([sys.executable, str(ROOT / "examples" / "agent.py"), session, "scripted", self.model],
                                  env={**os.environ, "STRATA_HOME": self.home, "PYTHONPATH": str(ROOT)},
                                  input=text + "\n", capture_output=True, text=True, timeout=60, check=True).stdout

        say("monday", "My cat's name is Whiskerino")
        self.assertIn("Whiskerino", say("tuesday", "What is my cat's name?"))


if __name__ == "__main__":
    unittest.main()
