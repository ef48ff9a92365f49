package life

// noises holds messages that memory should not keep, by kind. {n} is a number, {w} a
// name, {c} a city, and {f} a file.
var noises = map[Kind]string{
	SmallTalk: `
		Hey, good morning!
		Thanks, that helped a lot.
		Haha, fair enough.
		Hi there, how's it going?
		Great, let's continue tomorrow.
		Perfect, exactly what I was looking for.
		It's been raining here all day.
		Good to have you back.
		Okay, see you later then.
		Cool, cool. Give me a second.
		That's funny, I had the same thought.
		You're a lifesaver, honestly.
		Happy Friday!
		Hmm, not sure about that one.`,
	Task: `
		Can you write a haiku about a teapot?
		Please summarize the article about {c} in three bullet points.
		Rename the variable x to count in {f}.
		Help me write a polite email to decline a meeting.
		Convert {n} miles to kilometers.
		Make me a packing list for a weekend in {c}.
		Translate "where is the station" into French.
		Draft a birthday card for a colleague.
		What's a good title for a talk about caching?
		Sort these numbers: {n}, 7, 19, 3.
		Fix the failing test in {f}, it complains about line {n}.
		Give me five names for a hamster.
		Proofread this paragraph, please: The quick brown fox jumps over the lazy dog.
		Plan a menu for {n} guests.`,
	Code: "" +
		"Why doesn't this compile?¶```go¶func main() {¶\tname := \"{w}\"¶\tcity := \"{c}\"¶\tfmt.Println(name)¶}¶```\n" +
		"Here's the function:¶```python¶def greet(user):¶    # my name is {w}¶    return f\"I live in {c}, {user}\"¶```\n" +
		"This is in {f}:¶```yaml¶owner: {w}¶region: {c}¶replicas: {n}¶```\n" +
		"Look at this test data:¶```json¶{\"name\": \"{w}\", \"home\": \"{c}\", \"age\": {n}}¶```\n" +
		"Can you spot the bug?¶```sql¶SELECT * FROM users WHERE city = '{c}' AND age > {n};¶```\n" +
		"The fixture says:¶```¶I am {w} and I work at Acme.¶I use vim.¶```\n" +
		"What does this do?¶```js¶const prefers = { editor: 'vim', theme: 'dark', user: '{w}' };¶```\n" +
		"Refactor this please:¶```c¶/* we always use tabs here, signed {w} */¶int port = {n};¶```\n" +
		"Review {f} for me:¶```rust¶// We decided to use {c} as the default region.¶let retries = {n};¶```",
	Log: "" +
		"The build says:¶2025-03-01T10:00:01Z INFO user={w} city={c} logged in¶2025-03-01T10:00:02Z ERROR job {n} failed: connection refused\n" +
		"I get this:¶panic: runtime error: index out of range [{n}] with length 3¶goroutine 1 [running]:¶main.main()¶\t{f}:{n} +0x1d\n" +
		"From the server:¶127.0.0.1 - {w} [10/Mar/2025] \"GET /cities/{c} HTTP/1.1\" 404 {n}\n" +
		"Output of npm:¶npm WARN deprecated left-pad@1.3.0¶added {n} packages in 4s\n" +
		"dmesg shows:¶[{n}.104] usb 1-2: new high-speed device¶[{n}.221] usb 1-2: Manufacturer: {w}\n" +
		"CI printed:¶--- FAIL: TestOwner (0.03s)¶    owner_test.go:{n}: got {w}, want nobody\n" +
		"Here's the trace:¶Traceback (most recent call last):¶  File \"{f}\", line {n}, in load¶ValueError: I am not a number\n" +
		"psql tells me:¶ name | city¶------+------¶ {w} | {c}¶({n} rows)\n" +
		"journalctl:¶Mar 01 systemd[1]: Started {w} session {n}.¶Mar 01 sshd: Accepted publickey for {w}",
	Quote: `
		{w} wrote in the chat: "I live in {c} and I love it here."
		My colleague said "I'm allergic to cats" and left the room.
		The blog post begins with "I use Emacs for everything".
		From the interview: "I work for a bank in {c}," says {w}.
		The email reads: Hi, I'm {w}, I moved to {c} last month and I'd like to apply.
		He goes "my wife is called {w}", what a line.
		There's a song that goes "my home is in {c}".
		Translate this: "Mein Name ist {w} und ich wohne in {c}."
		The customer complains: "I don't use your app anymore."
		Quote of the day by {w}: "I never drink coffee before noon."`,
	Hypothetical: `
		If I moved to {c}, what would rent cost?
		Imagine I had a boat, where would I keep it?
		Suppose we used Oracle, how would that scale?
		What if I were allergic to peanuts?
		I might learn the trombone one day, who knows.
		Maybe I'll move to {c} at some point.
		Say I worked for a startup in {c}, would that be better?
		Pretend I'm a pirate called {w} who lives in {c}.
		Let's assume my budget is {n} euros, what could I get?
		I was wondering whether to become a vegan, but no.
		In a perfect world I'd have a house in {c}.
		Write a story in first person: I am {w}, I live in {c} and I hunt ghosts.`,
	Passing: `
		I'm so tired today.
		I'm on the train right now.
		I'm having lunch, give me ten minutes.
		I have a headache at the moment.
		I'm stuck on line {n} of {f}.
		I'm waiting for the build to finish.
		I'm late for a meeting.
		I just opened {f} and it looks odd.
		My tea is getting cold.
		I'm in a terrible mood this morning.
		I'm sitting in a cafe in {c} this afternoon.
		I've got {n} tabs open again.`,
	Question: `
		What is the capital of Mongolia?
		How do I center a div?
		Is it better to use a mutex or a channel?
		Do you know a good museum in {c}?
		How long do eggs boil?
		Which of the two would you take?
		Did {w} ever win a prize?
		How many bytes are in a kibibyte?
		Can I freeze cooked rice?
		Should I use tabs or spaces in {f}?`,
	Explanation: `
		A mutex protects a value by letting one goroutine in at a time. You can think of it as a key on a hook: whoever takes it has to put it back.
		Sure! The usual choice is Postgres, because it handles joins well. Many teams use Redis on top for caching.
		You could try Helix or Zed. I'd recommend Helix for its defaults; your editor matters less than your habits.
		In {c} the old town is worth a visit. My favorite tip is the market by the river, open on Saturdays.
		The error on line {n} means that the slice is empty. Check the length first, then index.
		I don't have access to that file, but the traceback points to {f}.
		Rice keeps for four days in the fridge. You should always cool it within an hour.
		Done. I renamed the variable and ran the tests: {n} passed.
		The capital of Mongolia is Ulaanbaatar. It lies at 1,350 meters.
		Here is a draft: "Dear {w}, thank you for the invitation. I live far away and cannot come. Best wishes."
		A flat white has less milk than a latte. People who like strong coffee often prefer it.
		Let's go step by step. First, we use a queue. Then we decide which worker owns the job. Finally, {w} gets a message.`,
}

// Words that fill the placeholders of noises.
const (
	names = `
		Albert
		Beatrix
		Conrad
		Dolores
		Edgar
		Greta
		Hugo
		Lotte
		Norbert
		Sybille`
	towns = `
		Oulu
		Palermo
		Bilbao
		Antwerp
		Debrecen
		Split
		Tromso
		Brno`
	files = `
		main.go
		config.yaml
		server.py
		index.ts
		schema.sql
		loop.c
		app.rs
		README.md`
)

// acks are replies of an assistant to what it was told; {v} is the value that it was
// told.
const acks = `
	Got it.
	Noted, {v}.
	Understood, I'll keep that in mind.
	Thanks for telling me.
	Okay! Anything else?
	Good to know. So {v} it is.
	Alright, noted.
	Sure thing.
	I see, {v}. Let me know if that changes.
	That makes sense.`

// answers are replies of an assistant to a question about something true.
const answers = `
	You told me: {v}.
	As far as I know, {v}.
	That's {v}.
	It's {v}, unless it changed.
	From what you said earlier: {v}.
	{v}, if I remember right.
	Last time you said {v}.
	I have {v} down for that.`
