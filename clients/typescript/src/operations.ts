// Made from the operations by: go test ./server -run TypeScript -update

/** What the input of every operation takes. */
export type Where = {
  /** the one scope to read and write: global, workspace, agent, agent:global or a canonical key. */
  scope?: string;
  /** reads also see the scopes above that one, as on the command line: for an agent its own everywhere, the workspace and the global one. */
  above?: boolean;
};

/** Every operation, by its name. */
export interface Operations {
  /** Show what an agent should know at the start of a session. */
  context: {
    input: Where & {
      /** hard budget for the whole text, 200 to 100000. */
      max_tokens?: number;
    };
    output: {
      /** text for a prompt, with what memory holds fenced as data. */
      text: string;
      /** how many tokens the text costs. */
      tokens: number;
      /** parts of the text, in order. */
      parts: {
        /** file, rules, index, facts, skills, learning or summary. */
        kind: string;
        /** scope or title. */
        name?: string;
        /** lines, facts or rules that are in the text. */
        shown: number;
        /** how many there are in all. */
        total: number;
        /** why some of it is left out. */
        why?: string;
      }[];
    };
  };
  /** Remember a statement. */
  save: {
    input: Where & {
      /** the statement. */
      content: string;
      /** what it is about (default: inferred). */
      type?: "user" | "feedback" | "project" | "reference";
      /** its group (default: found by meaning). */
      category?: string;
      /** what it is about; with attribute, a slot for one value. */
      entity?: string;
      /** the property it states. */
      attribute?: string;
      /** id of the fact it updates. */
      target?: string;
      /** generation of the target you saw; nothing changes if that is out of date. */
      base_generation?: number;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** session it was said in. */
      session?: string;
      /** ids of the turns it was learned from. */
      sources?: string[];
      /** how sure the caller is, from 0 to 1. */
      confidence?: number;
      /** when it starts to hold: a date, RFC 3339 time or words such as last week. */
      valid_from?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the fact that now holds the text, or already said the same; empty after a rejection. */
      id: string;
      /** add, update, supersede, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns the fact. */
      scope: string;
      /** user, feedback, project or reference. */
      type?: string;
      /** the group it was put in. */
      category?: string;
      /** version of the fact, from 1. */
      generation?: number;
      /** text that is no longer current because of it. */
      replaced?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Remember many statements at once. */
  save_batch: {
    input: Where & {
      /** the statements, at most 10,000. */
      items: {
        /** the statement. */
        content: string;
        /** what it is about (default: inferred). */
        type?: "user" | "feedback" | "project" | "reference";
        /** its group (default: found by meaning). */
        category?: string;
        /** what it is about; with attribute, a slot for one value. */
        entity?: string;
        /** the property it states. */
        attribute?: string;
        /** id of the fact it updates. */
        target?: string;
        /** generation of the target you saw; nothing changes if that is out of date. */
        base_generation?: number;
        /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
        request_id?: string;
        /** session it was said in. */
        session?: string;
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure the caller is, from 0 to 1. */
        confidence?: number;
        /** when it starts to hold: a date, RFC 3339 time or words such as last week. */
        valid_from?: string;
        /** the caller's own reason, kept with the decision. */
        note?: string;
        /** scope that will own it, as for --scope (default: as for save). */
        scope?: string;
      }[];
    };
    output: {
      /** one for each statement, in order. */
      decisions: {
        /** the fact that now holds the text, or already said the same; empty after a rejection. */
        id: string;
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** who owns the fact. */
        scope: string;
        /** user, feedback, project or reference. */
        type?: string;
        /** the group it was put in. */
        category?: string;
        /** version of the fact, from 1. */
        generation?: number;
        /** text that is no longer current because of it. */
        replaced?: string;
        /** what a reader should know. */
        notes?: string[];
        /** decided by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
    };
  };
  /** Remember a note, with a line in the index. */
  remember: {
    input: Where & {
      /** the note, in Markdown. */
      content: string;
      /** an existing title gets a new version (default: the first line). */
      title?: string;
      /** what it is about (default: inferred). */
      type?: "user" | "feedback" | "project" | "reference";
      /** one line on when it matters, for the index. */
      hook?: string;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** session it was learned in. */
      session?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the document that holds the text; empty after a rejection. */
      id: string;
      /** add, update, delete, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns it. */
      scope: string;
      /** path of the file. */
      path?: string;
      /** type of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** hash of the file as it is now; left out if there is no file. */
      hash?: string;
      /** version of the document, from 1. */
      generation?: number;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Find what answers a question. */
  recall: {
    input: Where & {
      /** a question, or words. */
      query: string;
      /** most hits, 1 to 1000. */
      max_results?: number;
      /** token budget for all texts; 0 means no limit, or in a tool 1500 including what surrounds them. */
      max_tokens?: number;
      /** next_cursor of the previous answer, to get what follows it. */
      cursor?: string;
      /** only facts of this category. */
      category?: string;
      /** only facts and notes of these types. */
      types?: ("user" | "feedback" | "project" | "reference")[];
      /** what was known then: a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** ids already shown, to leave out. */
      seen?: string[];
      /** session that asks. */
      session?: string;
      /** turn of the session that asks; this turn and later ones are left out. */
      turn?: number;
      /** first turn of the session still in the conversation; this turn and later ones are left out. */
      shown_from?: number;
      /** nobody asked for this recall: its hits do not count as interest. */
      automatic?: boolean;
      /** include weak hits. */
      all?: boolean;
      /** also return the hits as one text that is safe in a prompt. */
      prompt?: boolean;
      /** keep no trace and count no access. */
      no_record?: boolean;
    };
    output: {
      /** what was found, best first. */
      hits: {
        /** id of the fact, turn, section or learning. */
        id: string;
        /** fact, turn, section or learning. */
        kind: string;
        /** the memory itself. */
        text: string;
        /** bytes of the whole before this part. */
        offset?: number;
        /** bytes of the whole; left out if the text is complete. */
        length?: number;
        /** the passage of a long text that matches best, in bytes of the whole text. */
        match?: {
          /** offset of its first byte. */
          start: number;
          /** offset of the byte after it. */
          end: number;
        };
        /** from 0 to 1. */
        score: number;
        /** how much of what was asked for the hit holds, from 0 to 1; comparable between questions. */
        evidence: number;
        /** where it was found first: 1 near a category, 2 inside the nearest categories, 3 by flat search or words. */
        tier: number;
        /** the parts of the score; they add up to it. */
        why: {
          /** its own words. */
          words: number;
          /** closeness of meaning. */
          vector: number;
          /** neighboring turns. */
          around: number;
          /** its session, category or file as a whole. */
          parent: number;
          /** how new it is. */
          recency: number;
          /** how often it was of use. */
          salience: number;
          /** gained from or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
          order?: number;
          /** words of the question that matched. */
          terms?: string[];
        };
        /** who owns it. */
        scope: string;
        /** type of a fact or note. */
        type?: string;
        /** category of a fact. */
        category?: string;
        /** session of a turn. */
        session?: string;
        /** place of a turn in its session or of a section in its file, from 1. */
        seq?: number;
        /** user, assistant, system or tool: who said a turn. */
        role?: string;
        /** name of the speaker of a turn. */
        speaker?: string;
        /** where a section is. */
        section?: {
          /** path of the file, below the directory of its scope. */
          path: string;
          /** first line of the section, from 1. */
          line: number;
          /** last line of the section. */
          end_line: number;
          /** headings above it, outermost first. */
          headings?: string[];
          /** name of the note or skill. */
          name?: string;
        };
        /** file and line of a section, such as notes/project_deploys.md:12. */
        where?: string;
        /** when the fact was recorded, the turn said, the file written, or the learning last learned. */
        at: string;
        /** warnings, such as that the text reads like an instruction. */
        notes?: string[];
        /** the file came with the repository and is not trusted here. */
        foreign?: boolean;
        /** the later hit that says nearly the same with another value. */
        older_than?: string;
      }[];
      /** if asked for, the hits as text for a prompt: fenced as data, with their marks. */
      prompt?: string;
      /** the stored explanation, for trace. */
      trace?: string;
      /** model whose vectors were used; left out if only words were. */
      embedder?: string;
      /** how many tokens the texts of the hits cost, if a budget was set. */
      tokens?: number;
      /** offset of the next page of a search; left out at the end. */
      next?: number;
      /** for recall: pass it as cursor, with the same input otherwise, to get more; left out at the end. */
      next_cursor?: string;
      /** what a reader should know. */
      notes?: string[];
      /** how long each step took, in order. */
      steps?: {
        /** what was done. */
        name: string;
        /** in nanoseconds. */
        took_ns: number;
      }[];
    };
  };
  /** List what is known about a subject, a person or the user. */
  list: {
    input: Where & {
      /** a person, thing or topic, or me for the user (default: the categories alone). */
      subject?: string;
      /** only facts of this category; case does not matter. */
      category?: string;
      /** token budget for the texts of a page; 0 means 1500. */
      max_tokens?: number;
      /** next_cursor of the previous page. */
      cursor?: string;
    };
    output: {
      /** what was asked for. */
      subject?: string;
      /** the category that was asked for. */
      category?: string;
      /** about the user in the order of a profile, about anything else newest first. */
      facts: {
        /** id of the fact. */
        id: string;
        /** the statement. */
        text: string;
        /** bytes of the whole; left out if the text is complete. */
        length?: number;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** when it was recorded. */
        at: string;
        /** warnings, such as that the text reads like an instruction. */
        notes?: string[];
      }[];
      /** categories of all these facts, largest first; without a subject or category, or if the category is empty, those of the whole memory. */
      categories: {
        /** name of the category. */
        name: string;
        /** facts in it. */
        facts: number;
        /** who owns it. */
        scope: string;
      }[];
      /** facts on all pages; without a subject or category, those of the whole memory. */
      total: number;
      /** pass it as cursor, with the same input otherwise, to get more; left out at the end. */
      next_cursor?: string;
    };
  };
  /** Answer a question from memory, with citations. */
  think: {
    input: Where & {
      /** the question. */
      query: string;
      /** token budget for the texts of the evidence; 0 means 4000. */
      max_tokens?: number;
      /** what was known then: a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** answer with the evidence itself, even if a model is configured. */
      no_model?: boolean;
      /** keep no trace and count no access. */
      no_record?: boolean;
    };
    output: {
      /** the answer in fewer than 150 words, with citations such as [1]; its last line says what memory does not hold. */
      answer: string;
      /** what the answer cites, oldest first. */
      citations: {
        /** the number it is cited by. */
        n: number;
        /** id of the fact, turn or section. */
        id: string;
        /** fact, turn or section. */
        kind: string;
        /** where it can be opened: the id of a fact, SESSION#SEQ of a turn, FILE:LINE of a section. */
        address: string;
        /** who owns it. */
        scope: string;
        /** when the fact was recorded, the turn was said or the file was written. */
        at: string;
        /** the memory itself. */
        text: string;
      }[];
      /** words and parts of the question that memory has nothing on. */
      missing: string[];
      /** the model that wrote it; left out if the answer is the evidence itself. */
      model?: string;
      /** the stored explanation of the recall, for trace. */
      trace?: string;
      /** what a reader should know. */
      notes?: string[];
    };
  };
  /** Browse facts, turns and files, page by page. */
  search: {
    input: Where & {
      /** a question, or words. */
      query: string;
      /** most hits of a page, 1 to 1000. */
      max_results?: number;
      /** hits to skip: next of the previous page. */
      offset?: number;
      /** what to search (default: everything). */
      kinds?: ("fact" | "turn" | "section")[];
      /** only sections of this file, or of the files below this directory. */
      path?: string;
      /** only turns of this session. */
      session?: string;
      /** only facts of this category. */
      category?: string;
      /** only facts and notes of these types. */
      types?: ("user" | "feedback" | "project" | "reference")[];
      /** only what is from then or later: a date, RFC 3339 time or words such as last week. */
      since?: string;
      /** only what is older: a date or words such as last week, to their end, or an RFC 3339 time. */
      until?: string;
      /** token budget for all texts; 0 means no limit, or in a tool 1500. */
      max_tokens?: number;
      /** include weak hits. */
      all?: boolean;
      /** as known then: a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** ids already shown, to leave out. */
      seen?: string[];
      /** keep no trace. */
      no_record?: boolean;
      /** rank whole sessions: each hit is the best turn of a different session. */
      sessions?: boolean;
      /** include files of the system, below _system and _inbox. */
      include_system?: boolean;
    };
    output: {
      /** what was found, best first. */
      hits: {
        /** id of the fact, turn, section or learning. */
        id: string;
        /** fact, turn, section or learning. */
        kind: string;
        /** the memory itself. */
        text: string;
        /** bytes of the whole before this part. */
        offset?: number;
        /** bytes of the whole; left out if the text is complete. */
        length?: number;
        /** the passage of a long text that matches best, in bytes of the whole text. */
        match?: {
          /** offset of its first byte. */
          start: number;
          /** offset of the byte after it. */
          end: number;
        };
        /** from 0 to 1. */
        score: number;
        /** how much of what was asked for the hit holds, from 0 to 1; comparable between questions. */
        evidence: number;
        /** where it was found first: 1 near a category, 2 inside the nearest categories, 3 by flat search or words. */
        tier: number;
        /** the parts of the score; they add up to it. */
        why: {
          /** its own words. */
          words: number;
          /** closeness of meaning. */
          vector: number;
          /** neighboring turns. */
          around: number;
          /** its session, category or file as a whole. */
          parent: number;
          /** how new it is. */
          recency: number;
          /** how often it was of use. */
          salience: number;
          /** gained from or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
          order?: number;
          /** words of the question that matched. */
          terms?: string[];
        };
        /** who owns it. */
        scope: string;
        /** type of a fact or note. */
        type?: string;
        /** category of a fact. */
        category?: string;
        /** session of a turn. */
        session?: string;
        /** place of a turn in its session or of a section in its file, from 1. */
        seq?: number;
        /** user, assistant, system or tool: who said a turn. */
        role?: string;
        /** name of the speaker of a turn. */
        speaker?: string;
        /** where a section is. */
        section?: {
          /** path of the file, below the directory of its scope. */
          path: string;
          /** first line of the section, from 1. */
          line: number;
          /** last line of the section. */
          end_line: number;
          /** headings above it, outermost first. */
          headings?: string[];
          /** name of the note or skill. */
          name?: string;
        };
        /** file and line of a section, such as notes/project_deploys.md:12. */
        where?: string;
        /** when the fact was recorded, the turn said, the file written, or the learning last learned. */
        at: string;
        /** warnings, such as that the text reads like an instruction. */
        notes?: string[];
        /** the file came with the repository and is not trusted here. */
        foreign?: boolean;
        /** the later hit that says nearly the same with another value. */
        older_than?: string;
      }[];
      /** if asked for, the hits as text for a prompt: fenced as data, with their marks. */
      prompt?: string;
      /** the stored explanation, for trace. */
      trace?: string;
      /** model whose vectors were used; left out if only words were. */
      embedder?: string;
      /** how many tokens the texts of the hits cost, if a budget was set. */
      tokens?: number;
      /** offset of the next page of a search; left out at the end. */
      next?: number;
      /** for recall: pass it as cursor, with the same input otherwise, to get more; left out at the end. */
      next_cursor?: string;
      /** what a reader should know. */
      notes?: string[];
      /** how long each step took, in order. */
      steps?: {
        /** what was done. */
        name: string;
        /** in nanoseconds. */
        took_ns: number;
      }[];
    };
  };
  /** Reopen turns of a conversation, word for word. */
  expand: {
    input: Where & {
      /** session to read (default: the caller's own). */
      session?: string;
      /** seq of the first turn (default: the first). */
      from?: number;
      /** seq of the last turn (default: the last). */
      to?: number;
      /** only parts that match, best first. */
      query?: string;
      /** token budget of a page, 100 to 100000. */
      max_tokens?: number;
      /** continue after a page (next) or cut turn (rest). */
      after?: string;
    };
    output: {
      /** the session that was read. */
      session: string;
      /** who owns it. */
      scope: string;
      /** in the order they were said, or best first for a query. */
      turns: {
        /** id of the turn. */
        id: string;
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** the speaker's name, if there are several. */
        speaker?: string;
        /** name of the tool whose result it is. */
        tool?: string;
        /** what was said, word for word, without secrets, then a line for each tool call and image. */
        text: string;
        /** when it was said. */
        at: string;
        /** bytes of the turn before this part. */
        offset?: number;
        /** bytes of the whole turn; left out if the text is complete. */
        length?: number;
        /** if the turn continues: pass it as after, without query, to read on. */
        rest?: string;
        /** how well it matches the query, from 0 to 1. */
        score?: number;
        /** words of the query that matched. */
        terms?: string[];
        /** the text was forgotten and cannot be reopened. */
        forgotten?: boolean;
        /** warnings, such as that the text reads like an instruction. */
        notes?: string[];
      }[];
      /** pass it as after, with the same input otherwise, to get more; left out at the end. */
      next?: string;
      /** parts that match the query, on all pages. */
      matches?: number;
      /** how much of the budget the page uses. */
      tokens: number;
    };
  };
  /** Keep turns of a conversation. */
  append: {
    input: Where & {
      /** what was said, in order, at most 10,000 turns. */
      turns: {
        /** user, assistant, system or tool. */
        role?: string;
        /** what was said, or what the tool returned. */
        content?: string;
        /** when: RFC 3339 time (default: now). */
        at?: string;
        /** the speaker's name if there are several; for a tool turn, the tool. */
        name?: string;
        /** the caller's own id of the message; a repeated id is kept once. */
        id?: string;
        /** tools the assistant called, as in OpenAI's protocol. */
        tool_calls?: {
          /** id of the call. */
          id?: string;
          /** name of the tool. */
          name?: string;
          /** a JSON object, or the text of one. */
          arguments?: Record<string, unknown>;
          /** always function. */
          type?: string;
          /** name and arguments, as in OpenAI's protocol. */
          function?: {
            /** name of the tool. */
            name?: string;
            /** a JSON object, or the text of one. */
            arguments?: Record<string, unknown>;
          };
        }[];
        /** id of the call that a tool turn answers. */
        tool_call_id?: string;
      }[];
      /** id of the session (default: the caller's own). */
      session?: string;
    };
    output: {
      /** the session of the turns. */
      session: string;
      /** who owns it. */
      scope: string;
      /** turns that were added. */
      added: number;
      /** turns that were already kept. */
      known: number;
      /** what was not kept as a turn, and why. */
      left?: {
        /** why. */
        reason: string;
        /** how many. */
        count: number;
      }[];
      /** what was kept of them as facts, what was not, and why. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** id of the fact. */
        id?: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** user, feedback, project or reference. */
        type?: string;
        /** who owns it. */
        scope: string;
        /** text that is no longer current because of it. */
        replaced?: string;
        /** where it was said. */
        session?: string;
      }[];
    };
  };
  /** Correct a fact. */
  update: {
    input: Where & {
      /** id of the fact. */
      id: string;
      /** what is true instead. */
      content: string;
      /** generation of the fact you saw; nothing changes if that is out of date. */
      base_generation?: number;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the fact that now holds the text, or already said the same; empty after a rejection. */
      id: string;
      /** add, update, supersede, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns the fact. */
      scope: string;
      /** user, feedback, project or reference. */
      type?: string;
      /** the group it was put in. */
      category?: string;
      /** version of the fact, from 1. */
      generation?: number;
      /** text that is no longer current because of it. */
      replaced?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** List facts, or move them to another scope. */
  facts: {
    input: Where & {
      /** only these facts. */
      ids?: string[];
      /** only facts of this type. */
      type?: "user" | "feedback" | "project" | "reference";
      /** only facts of this category. */
      category?: string;
      /** include versions that are no longer current. */
      retired?: boolean;
      /** as recorded at that time: a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** id to continue after, for paging. */
      after?: string;
      /** most facts, 1 to 10000. */
      limit?: number;
      /** move them to this scope: global, workspace, agent, agent:global or a key. */
      move?: string;
      /** the caller's own reason for a move, kept with the decisions. */
      note?: string;
      /** say what a move would decide and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** newest first, scope by scope; for a move, as they were before it. */
      facts: {
        /** stays the same through updates. */
        id: string;
        /** the statement. */
        text: string;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** this version is believed now. */
        current: boolean;
        /** version, from 1. */
        generation: number;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** when it starts to hold, if it says so. */
        valid_from?: string;
        /** when it stops holding, if it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact it replaced. */
        supersedes?: string;
        /** fact that replaced it. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to someone who asked. */
        accesses: number;
        /** when it was last returned. */
        last_access?: string;
      }[];
      /** of a move, one for each fact, in the same order. */
      decisions?: {
        /** the fact that now holds the text, or already said the same; empty after a rejection. */
        id: string;
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** who owns the fact. */
        scope: string;
        /** user, feedback, project or reference. */
        type?: string;
        /** the group it was put in. */
        category?: string;
        /** version of the fact, from 1. */
        generation?: number;
        /** text that is no longer current because of it. */
        replaced?: string;
        /** what a reader should know. */
        notes?: string[];
        /** decided by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
    };
  };
  /** Show a fact with all its versions. */
  fact: {
    input: Where & {
      /** id of the fact. */
      id: string;
    };
    output: {
      /** id of the fact. */
      id: string;
      /** all versions, oldest first. */
      versions: {
        /** stays the same through updates. */
        id: string;
        /** the statement. */
        text: string;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** this version is believed now. */
        current: boolean;
        /** version, from 1. */
        generation: number;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** when it starts to hold, if it says so. */
        valid_from?: string;
        /** when it stops holding, if it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact it replaced. */
        supersedes?: string;
        /** fact that replaced it. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to someone who asked. */
        accesses: number;
        /** when it was last returned. */
        last_access?: string;
      }[];
      /** how useful it was lately, from 0 to 1. */
      salience: number;
      /** visible turns that its versions were learned from. */
      turns: {
        /** id of the turn. */
        id: string;
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** the speaker's name, if there are several. */
        speaker?: string;
        /** what was said, without secrets. */
        text: string;
        /** media types of the images that came with it. */
        images?: string[];
        /** tools the assistant called. */
        calls?: {
          /** id of the call. */
          id: string;
          /** name of the tool. */
          name: string;
          /** as the model wrote them, without secrets. */
          arguments?: string;
        }[];
        /** id of the call that a tool turn answers. */
        call_id?: string;
        /** the tool that answers. */
        tool?: string;
        /** the call did not succeed. */
        failed?: boolean;
        /** when it was said. */
        at: string;
        /** who owns it. */
        scope: string;
        /** the session it belongs to. */
        session: string;
        /** secrets removed from the text. */
        redacted?: number;
        /** the text was blanked because a fact from it was forgotten, or its session pruned or archived. */
        forgotten?: boolean;
      }[];
    };
  };
  /** Show what memory believes about the user. */
  profile: {
    input: Where & {
      /** only facts about this relation (sister), name or group (work). */
      subject?: string;
      /** include what was believed before, with its dates. */
      all?: boolean;
    };
    output: {
      /** name of the user, if known. */
      name?: string;
      /** groups by what the facts are about: you, people, pets, home, work, health, tastes, things, plans, more. */
      groups: {
        /** you, person, pet, home, work, health, tastes, things, plans or more. */
        kind: string;
        /** for a person or pet: who it is to the user. */
        subject?: string;
        /** name of a person or pet, if known. */
        name?: string;
        /** entries that fill a slot first, the speaker's own words last. */
        entries: {
          /** id of the fact. */
          id: string;
          /** what it is about, if it fills a slot. */
          entity?: string;
          /** which property it states, if it fills a slot. */
          attribute?: string;
          /** value of the property, if the text gives it by itself. */
          value?: string;
          /** the statement. */
          text: string;
          /** who owns it. */
          scope: string;
          /** when it starts to hold: as it says itself, else when it was first said; may be missing. */
          since?: string;
          /** when it stops holding, if it says so, or when it stopped being believed. */
          until?: string;
          /** when it was committed. */
          recorded_at: string;
          /** turns it was learned from. */
          sources: {
            /** id of the turn. */
            id: string;
            /** the conversation; missing if the turn is not visible. */
            session?: string;
            /** number of the turn in it, from 1. */
            seq?: number;
            /** when it was said. */
            at?: string;
          }[];
          /** how sure its proposer was, from 0 to 1. */
          confidence: number;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** it is no longer believed, and nothing took its place. */
          ended?: boolean;
          /** with all: what it replaced, latest first. */
          earlier?: {
            /** id of the fact. */
            id: string;
            /** value of the property, if the text gives it by itself. */
            value?: string;
            /** the statement. */
            text: string;
            /** when it started to hold. */
            since?: string;
            /** when it stopped holding: as it says itself, else when its replacement was said. */
            until?: string;
            /** when it was committed. */
            recorded_at: string;
            /** turns it was learned from. */
            sources: {
              /** id of the turn. */
              id: string;
              /** the conversation; missing if the turn is not visible. */
              session?: string;
              /** number of the turn in it, from 1. */
              seq?: number;
              /** when it was said. */
              at?: string;
            }[];
            /** how sure its proposer was, from 0 to 1. */
            confidence: number;
          }[];
        }[];
      }[];
      /** standing rules: how the user wants agents to work, the newest first. */
      rules: {
        /** id of the fact. */
        id: string;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** value of the property, if the text gives it by itself. */
        value?: string;
        /** the statement. */
        text: string;
        /** who owns it. */
        scope: string;
        /** when it starts to hold: as it says itself, else when it was first said; may be missing. */
        since?: string;
        /** when it stops holding, if it says so, or when it stopped being believed. */
        until?: string;
        /** when it was committed. */
        recorded_at: string;
        /** turns it was learned from. */
        sources: {
          /** id of the turn. */
          id: string;
          /** the conversation; missing if the turn is not visible. */
          session?: string;
          /** number of the turn in it, from 1. */
          seq?: number;
          /** when it was said. */
          at?: string;
        }[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** it is no longer believed, and nothing took its place. */
        ended?: boolean;
        /** with all: what it replaced, latest first. */
        earlier?: {
          /** id of the fact. */
          id: string;
          /** value of the property, if the text gives it by itself. */
          value?: string;
          /** the statement. */
          text: string;
          /** when it started to hold. */
          since?: string;
          /** when it stopped holding: as it says itself, else when its replacement was said. */
          until?: string;
          /** when it was committed. */
          recorded_at: string;
          /** turns it was learned from. */
          sources: {
            /** id of the turn. */
            id: string;
            /** the conversation; missing if the turn is not visible. */
            session?: string;
            /** number of the turn in it, from 1. */
            seq?: number;
            /** when it was said. */
            at?: string;
          }[];
          /** how sure its proposer was, from 0 to 1. */
          confidence: number;
        }[];
      }[];
      /** facts that are believed now, without the rules. */
      facts: number;
    };
  };
  /** List categories. */
  categories_list: {
    input: Where & {};
    output: {
      /** categories that hold a current fact, scope by scope, largest first. */
      categories: {
        /** name of the category. */
        name: string;
        /** who owns it. */
        scope: string;
        /** current facts in it. */
        facts: number;
        /** the program does not divide, merge or rename it. */
        pinned: boolean;
      }[];
    };
  };
  /** Give a category another name. */
  categories_rename: {
    input: Where & {
      /** name of the category. */
      old: string;
      /** its new name. */
      new: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** name of the category. */
      name: string;
      /** who owns it. */
      scope: string;
      /** current facts in it. */
      facts: number;
      /** the program does not divide, merge or rename it. */
      pinned: boolean;
    };
  };
  /** Put the facts of one category into another. */
  categories_merge: {
    input: Where & {
      /** name of the category that goes. */
      from: string;
      /** name of the category that takes its facts. */
      into: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** name of the category. */
      name: string;
      /** who owns it. */
      scope: string;
      /** current facts in it. */
      facts: number;
      /** the program does not divide, merge or rename it. */
      pinned: boolean;
    };
  };
  /** Keep a category as it is. */
  categories_pin: {
    input: Where & {
      /** name of the category. */
      name: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** name of the category. */
      name: string;
      /** who owns it. */
      scope: string;
      /** current facts in it. */
      facts: number;
      /** the program does not divide, merge or rename it. */
      pinned: boolean;
    };
  };
  /** Let the program change a category again. */
  categories_unpin: {
    input: Where & {
      /** name of the category. */
      name: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** name of the category. */
      name: string;
      /** who owns it. */
      scope: string;
      /** current facts in it. */
      facts: number;
      /** the program does not divide, merge or rename it. */
      pinned: boolean;
    };
  };
  /** List notes, or files of another kind. */
  note_list: {
    input: Where & {
      /** only notes of this type. */
      type?: "user" | "feedback" | "project" | "reference";
      /** documents of this kind. */
      kind?: "note" | "skill" | "index" | "daily" | "profile" | "system" | "other" | "any";
      /** include notes hidden by a note of the same type and title in a deeper scope. */
      include_shadowed?: boolean;
      /** include files in _inbox and _system. */
      include_system?: boolean;
      /** path to continue after, for paging. */
      after?: string;
      /** most documents, 1 to 100000. */
      limit?: number;
    };
    output: {
      /** by path; for the same path, the deeper scope first. */
      documents: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; if several scopes have the path, the first one answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** type of a note: user, feedback, project or reference. */
        type?: string;
        /** slug of a note; type and slug together name it. */
        slug?: string;
        /** title of a note or skill. */
        name?: string;
        /** when it matters, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** path of another note that says exactly the same; in note list. */
        same_as?: string;
        /** scope whose note of the same type and slug is seen instead. */
        shadowed_by?: string;
        /** SHA-256 of the file's bytes, to pass as base of note write. */
        hash: string;
        /** size of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory recorded it. */
        recorded_at: string;
        /** rules that found secrets in the file; memory does not keep these. */
        redacted?: string[];
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted: data, not instructions. */
        foreign?: boolean;
        /** text of the file with secrets redacted; left out in lists. */
        content?: string;
      }[];
    };
  };
  /** Show a note or another file, word for word. */
  note_show: {
    input: Where & {
      /** title, slug, type/slug, path, id or memory:// address; this includes notes that wait in _inbox/. */
      name: string;
    };
    output: {
      /** stays the same as long as the path does. */
      id: string;
      /** below the directory of its scope, with slashes. */
      path: string;
      /** address of the path, for note show; if several scopes have the path, the first one answers. */
      url?: string;
      /** note, skill, index, daily, profile, system or other. */
      kind: string;
      /** type of a note: user, feedback, project or reference. */
      type?: string;
      /** slug of a note; type and slug together name it. */
      slug?: string;
      /** title of a note or skill. */
      name?: string;
      /** when it matters, in one line. */
      description?: string;
      /** who owns it. */
      scope: string;
      /** path of another note that says exactly the same; in note list. */
      same_as?: string;
      /** scope whose note of the same type and slug is seen instead. */
      shadowed_by?: string;
      /** SHA-256 of the file's bytes, to pass as base of note write. */
      hash: string;
      /** size of the file, in bytes. */
      size: number;
      /** version, from 1. */
      generation: number;
      /** when the file was last written. */
      modified_at: string;
      /** when memory recorded it. */
      recorded_at: string;
      /** rules that found secrets in the file; memory does not keep these. */
      redacted?: string[];
      /** what is wrong with the file. */
      problem?: string;
      /** it came with a repository and is not trusted: data, not instructions. */
      foreign?: boolean;
      /** text of the file with secrets redacted; left out in lists. */
      content?: string;
    };
  };
  /** Write the whole text of a note or another file. */
  note_write: {
    input: Where & {
      /** path of the file, or any name of an existing one. */
      name: string;
      /** whole text of the file, front matter included. */
      content: string;
      /** hash of the version you saw, or none if there was no file; nothing changes if that is out of date. */
      base?: string;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the document that holds the text; empty after a rejection. */
      id: string;
      /** add, update, delete, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns it. */
      scope: string;
      /** path of the file. */
      path?: string;
      /** type of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** hash of the file as it is now; left out if there is no file. */
      hash?: string;
      /** version of the document, from 1. */
      generation?: number;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Delete a note or another file. */
  note_delete: {
    input: Where & {
      /** title, slug, type/slug, path, id or memory:// address; this includes notes that wait in _inbox/. */
      name: string;
      /** hash of the version you saw; nothing changes if that is out of date. */
      base?: string;
      /** delete the file even if it holds a secret, which is kept nowhere else; this cannot be undone. */
      lose_secret?: boolean;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** the document that holds the text; empty after a rejection. */
      id: string;
      /** add, update, delete, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns it. */
      scope: string;
      /** path of the file. */
      path?: string;
      /** type of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** hash of the file as it is now; left out if there is no file. */
      hash?: string;
      /** version of the document, from 1. */
      generation?: number;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Move a note to another scope. */
  note_promote: {
    input: Where & {
      /** title, slug, type/slug, path, id or memory:// address; this includes notes that wait in _inbox/. */
      name: string;
      /** scope to move it to: global, workspace, agent, agent:global or a key. */
      to: string;
      /** the caller's own reason, kept with the decisions. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the note where it is now, then where it was. */
      decisions: {
        /** the document that holds the text; empty after a rejection. */
        id: string;
        /** add, update, delete, noop or reject. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path?: string;
        /** type of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** hash of the file as it is now; left out if there is no file. */
        hash?: string;
        /** version of the document, from 1. */
        generation?: number;
        /** what a reader should know. */
        notes?: string[];
        /** decided by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
      /** text of the note that a proposal changes. */
      before?: string;
      /** its text with the proposed change; left out if a note is only moved. */
      after?: string;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Propose a note, for a person to accept. */
  note_propose: {
    input: Where & {
      /** the note, in Markdown. */
      content: string;
      /** an existing title gets a new version (default: the first line). */
      title?: string;
      /** what it is about (default: inferred). */
      type?: "user" | "feedback" | "project" | "reference";
      /** one line on when it matters, for the index. */
      hook?: string;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** session it was learned in. */
      session?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the document that holds the text; empty after a rejection. */
      id: string;
      /** add, update, delete, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns it. */
      scope: string;
      /** path of the file. */
      path?: string;
      /** type of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** hash of the file as it is now; left out if there is no file. */
      hash?: string;
      /** version of the document, from 1. */
      generation?: number;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Accept a proposed note, or a proposed change to one. */
  note_accept: {
    input: Where & {
      /** title, slug, type/slug, path or id of the proposal. */
      name: string;
      /** scope to accept it into (default: its own). */
      to?: string;
      /** which one stays if the note and the proposal changed the same part. */
      take?: "note" | "proposal";
      /** the caller's own reason, kept with the decisions. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** the note where it is now, then where it was. */
      decisions: {
        /** the document that holds the text; empty after a rejection. */
        id: string;
        /** add, update, delete, noop or reject. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path?: string;
        /** type of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** hash of the file as it is now; left out if there is no file. */
        hash?: string;
        /** version of the document, from 1. */
        generation?: number;
        /** what a reader should know. */
        notes?: string[];
        /** decided by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
      /** text of the note that a proposal changes. */
      before?: string;
      /** its text with the proposed change; left out if a note is only moved. */
      after?: string;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Turn a proposed note down. */
  note_reject: {
    input: Where & {
      /** title, slug, type/slug, path or id of the proposal. */
      name: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** the document that holds the text; empty after a rejection. */
      id: string;
      /** add, update, delete, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns it. */
      scope: string;
      /** path of the file. */
      path?: string;
      /** type of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** hash of the file as it is now; left out if there is no file. */
      hash?: string;
      /** version of the document, from 1. */
      generation?: number;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Set something aside for the moment. */
  note_adhoc: {
    input: Where & {
      /** what to set aside. */
      content: string;
      /** part of the file's name (default: made from the first line). */
      slug?: string;
      /** words to find it by. */
      tags?: string[];
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** session it comes from. */
      session?: string;
    };
    output: {
      /** the document that holds the text; empty after a rejection. */
      id: string;
      /** add, update, delete, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns it. */
      scope: string;
      /** path of the file. */
      path?: string;
      /** type of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** hash of the file as it is now; left out if there is no file. */
      hash?: string;
      /** version of the document, from 1. */
      generation?: number;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Answer a call of Anthropic's memory tool. */
  memory_tool: {
    input: Where & {
      /** what to do. */
      command: "view" | "create" | "str_replace" | "insert" | "delete" | "rename";
      /** path of the file or directory, such as /memories/todo.md; for all commands but rename. */
      path?: string;
      /** for view: first and last line, from 1; -1 is the end. */
      view_range?: number[];
      /** for create: text of the new file. */
      file_text?: string;
      /** for str_replace: the text to replace, which must be there once. */
      old_str?: string;
      /** for str_replace: what takes its place (default: nothing). */
      new_str?: string;
      /** for insert: the line after which the text goes; 0 is the beginning. */
      insert_line?: number;
      /** for insert: the text. */
      insert_text?: string;
      /** for rename: the file or directory. */
      old_path?: string;
      /** for rename: where it goes. */
      new_path?: string;
    };
    output: {
      /** what the model is told. */
      content: string;
      /** the call was refused, and nothing changed; content says why. */
      is_error: boolean;
    };
  };
  /** List skills. */
  skill_list: {
    input: Where & {
      /** only this status (default: all). */
      status?: "proposed" | "active" | "archived";
    };
    output: {
      /** by name; for the same name, the deeper scope first. */
      skills: {
        /** the name of its directory. */
        name: string;
        /** proposed (waits for a person), active (offered to agents) or archived. */
        status: string;
        /** when it is useful, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** path of its file, below the directory of its scope. */
        path: string;
        /** address at which an agent opens it. */
        url: string;
        /** number of sessions it was learned in; left out if a person wrote it. */
        learnt?: number;
        /** scope whose skill of the same name is opened instead. */
        shadowed_by?: string;
        /** when it was last opened by its address; left out if never. */
        opened_at?: string;
        /** when the file was last written. */
        modified_at: string;
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted, so it is not offered. */
        foreign?: boolean;
      }[];
    };
  };
  /** Show a skill, word for word. */
  skill_show: {
    input: Where & {
      /** name, path, id or memory:// address of the skill. */
      name: string;
    };
    output: {
      /** the name of its directory. */
      name: string;
      /** proposed (waits for a person), active (offered to agents) or archived. */
      status: string;
      /** when it is useful, in one line. */
      description?: string;
      /** who owns it. */
      scope: string;
      /** path of its file, below the directory of its scope. */
      path: string;
      /** address at which an agent opens it. */
      url: string;
      /** number of sessions it was learned in; left out if a person wrote it. */
      learnt?: number;
      /** scope whose skill of the same name is opened instead. */
      shadowed_by?: string;
      /** when it was last opened by its address; left out if never. */
      opened_at?: string;
      /** when the file was last written. */
      modified_at: string;
      /** what is wrong with the file. */
      problem?: string;
      /** it came with a repository and is not trusted, so it is not offered. */
      foreign?: boolean;
      /** sessions in which it was learned. */
      sessions?: string[];
      /** text of the file with secrets redacted. */
      content: string;
    };
  };
  /** Make a skill active, or turn a note into one. */
  skill_promote: {
    input: Where & {
      /** name, path, id or memory:// address of the skill; with from, its new name. */
      name: string;
      /** note to turn into the skill, by any of its names; the note is removed. */
      from?: string;
      /** the caller's own reason, kept with the decisions. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the skill, then the note it was made from. */
      decisions: {
        /** the document that holds the text; empty after a rejection. */
        id: string;
        /** add, update, delete, noop or reject. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path?: string;
        /** type of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** hash of the file as it is now; left out if there is no file. */
        hash?: string;
        /** version of the document, from 1. */
        generation?: number;
        /** what a reader should know. */
        notes?: string[];
        /** decided by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Archive a skill. */
  skill_archive: {
    input: Where & {
      /** name, path, id or memory:// address of the skill. */
      name: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the skill, then the note it was made from. */
      decisions: {
        /** the document that holds the text; empty after a rejection. */
        id: string;
        /** add, update, delete, noop or reject. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path?: string;
        /** type of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** hash of the file as it is now; left out if there is no file. */
        hash?: string;
        /** version of the document, from 1. */
        generation?: number;
        /** what a reader should know. */
        notes?: string[];
        /** decided by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Record the files of memory in their history. */
  checkpoint: {
    input: Where & {
      /** what it is for, in one line (default: manual). */
      note?: string;
    };
    output: {
      /** nothing went wrong. */
      ok: boolean;
      /** the commit, 7 digits; left out if nothing was recorded. */
      oid?: string;
      /** subject of the commit. */
      subject?: string;
      /** nothing was recorded. */
      skipped: boolean;
      /** why nothing was recorded. */
      reason?: string;
      /** one for each directory with a history of its own. */
      commits: {
        /** whose directory it is. */
        scope: string;
        /** the commit, 40 digits; left out if nothing was recorded. */
        oid?: string;
        /** subject of the commit. */
        subject?: string;
        /** files that changed. */
        files: number;
        /** why nothing was recorded. */
        reason?: string;
      }[];
      /** files that were not recorded. */
      left_out?: {
        /** path of the file. */
        path: string;
        /** why. */
        reason: string;
      }[];
    };
  };
  /** List the recorded states of memory's files. */
  history: {
    input: Where & {
      /** most commits, 1 to 100. */
      limit?: number;
      /** also show what changed between them. */
      diff?: boolean;
    };
    output: {
      /** whose directory it is. */
      scope: string;
      /** newest first. */
      commits: {
        /** 40 digits. */
        oid: string;
        /** 7 digits. */
        short_oid: string;
        /** subject of the commit. */
        subject: string;
        /** body of the commit message. */
        body?: string;
        /** who made it. */
        author: string;
        /** when it was made. */
        timestamp: string;
        /** files that changed, if known. */
        files?: number;
      }[];
      /** unified diff from the oldest commit shown to the newest. */
      diff?: string;
      /** what is wrong with the history. */
      note?: string;
    };
  };
  /** List the daily logs. */
  daily_list: {
    input: Where & {};
    output: {
      /** newest first, scope by scope. */
      logs: {
        /** YYYY-MM-DD, in the user's time zone. */
        day: string;
        /** number of the file, if the day did not fit in one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path: string;
        /** it is in the archive. */
        archived?: boolean;
        /** size of the file. */
        bytes: number;
        /** when the file was last written. */
        modified_at: string;
        /** its text; left out in lists. */
        content?: string;
      }[];
    };
  };
  /** Show the log of a day. */
  daily_show: {
    input: Where & {
      /** the day, as YYYY-MM-DD. */
      day: string;
    };
    output: {
      /** logs of that day, scope by scope, with their text. */
      logs: {
        /** YYYY-MM-DD, in the user's time zone. */
        day: string;
        /** number of the file, if the day did not fit in one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path: string;
        /** it is in the archive. */
        archived?: boolean;
        /** size of the file. */
        bytes: number;
        /** when the file was last written. */
        modified_at: string;
        /** its text; left out in lists. */
        content?: string;
      }[];
    };
  };
  /** Move old logs into the archive. */
  daily_archive: {
    input: Where & {
      /** the log of this day, as YYYY-MM-DD (default: all that are old enough). */
      day?: string;
      /** logs of days that ended this many days ago or earlier; ignored if a day is named. */
      older_than_days?: number;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** archived, purged or restored. */
      change: string;
      /** logs that changed, as they were before. */
      logs: {
        /** YYYY-MM-DD, in the user's time zone. */
        day: string;
        /** number of the file, if the day did not fit in one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path: string;
        /** it is in the archive. */
        archived?: boolean;
        /** size of the file. */
        bytes: number;
        /** when the file was last written. */
        modified_at: string;
        /** its text; left out in lists. */
        content?: string;
      }[];
      /** ids of the decisions, for revert. */
      decisions?: string[];
      /** logs that were left where they are. */
      skipped?: {
        /** who owns it. */
        scope: string;
        /** path of the file; left out for the directory of the scope. */
        path?: string;
        /** why. */
        reason: string;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Remove old logs, archived or not. */
  daily_purge: {
    input: Where & {
      /** the log of this day, as YYYY-MM-DD (default: all that are old enough). */
      day?: string;
      /** logs of days that ended this many days ago or earlier; ignored if a day is named. */
      older_than_days?: number;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** archived, purged or restored. */
      change: string;
      /** logs that changed, as they were before. */
      logs: {
        /** YYYY-MM-DD, in the user's time zone. */
        day: string;
        /** number of the file, if the day did not fit in one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path: string;
        /** it is in the archive. */
        archived?: boolean;
        /** size of the file. */
        bytes: number;
        /** when the file was last written. */
        modified_at: string;
        /** its text; left out in lists. */
        content?: string;
      }[];
      /** ids of the decisions, for revert. */
      decisions?: string[];
      /** logs that were left where they are. */
      skipped?: {
        /** who owns it. */
        scope: string;
        /** path of the file; left out for the directory of the scope. */
        path?: string;
        /** why. */
        reason: string;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Bring the log of a day back from the archive. */
  daily_restore: {
    input: Where & {
      /** the day, as YYYY-MM-DD. */
      day: string;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** archived, purged or restored. */
      change: string;
      /** logs that changed, as they were before. */
      logs: {
        /** YYYY-MM-DD, in the user's time zone. */
        day: string;
        /** number of the file, if the day did not fit in one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path: string;
        /** it is in the archive. */
        archived?: boolean;
        /** size of the file. */
        bytes: number;
        /** when the file was last written. */
        modified_at: string;
        /** its text; left out in lists. */
        content?: string;
      }[];
      /** ids of the decisions, for revert. */
      decisions?: string[];
      /** logs that were left where they are. */
      skipped?: {
        /** who owns it. */
        scope: string;
        /** path of the file; left out for the directory of the scope. */
        path?: string;
        /** why. */
        reason: string;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** List the rules of HEARTBEAT.md. */
  heartbeat: {
    input: Where & {};
    output: {
      /** in the order of scopes and files. */
      rules: {
        /** what to do. */
        text: string;
        /** how often, as written. */
        every?: string;
        /** at what time, as written. */
        at?: string;
        /** whose rule it is. */
        scope: string;
        /** path of the file. */
        path: string;
        /** line of the file, from 1. */
        line: number;
      }[];
    };
  };
  /** List what became of every request to change memory. */
  decisions: {
    input: Where & {
      /** only this kind. */
      decision?: "add" | "update" | "supersede" | "delete" | "noop" | "reject" | "forget";
      /** only from this origin; extractor means read from conversations. */
      origin?: "cli" | "api" | "tool" | "extractor" | "dream" | "file" | "import";
      /** only about this fact. */
      fact_id?: string;
      /** only about this file. */
      path?: string;
      /** decided at that time or later: a date, RFC 3339 time or words such as yesterday. */
      since?: string;
      /** only decisions whose files are not written yet. */
      pending?: boolean;
      /** id to continue after, for paging. */
      after?: string;
      /** most decisions, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, over all scopes. */
      decisions: {
        /** id of the decision. */
        id: string;
        /** add, update, supersede, delete, noop, reject or forget. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the fact it is about; empty for a rejection and for a file. */
        fact_id?: string;
        /** the file it is about. */
        path?: string;
        /** who owns it. */
        scope: string;
        /** the version that stopped being current. */
        before?: {
          /** stays the same through updates. */
          id: string;
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the group it belongs to. */
          category: string;
          /** who owns it. */
          scope: string;
          /** this version is believed now. */
          current: boolean;
          /** version, from 1. */
          generation: number;
          /** what it is about, if it fills a slot. */
          entity?: string;
          /** which property it states, if it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learned from. */
          sources?: string[];
          /** how sure its proposer was, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** when it starts to hold, if it says so. */
          valid_from?: string;
          /** when it stops holding, if it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact it replaced. */
          supersedes?: string;
          /** fact that replaced it. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to someone who asked. */
          accesses: number;
          /** when it was last returned. */
          last_access?: string;
        };
        /** the new version. */
        after?: {
          /** stays the same through updates. */
          id: string;
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the group it belongs to. */
          category: string;
          /** who owns it. */
          scope: string;
          /** this version is believed now. */
          current: boolean;
          /** version, from 1. */
          generation: number;
          /** what it is about, if it fills a slot. */
          entity?: string;
          /** which property it states, if it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learned from. */
          sources?: string[];
          /** how sure its proposer was, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** when it starts to hold, if it says so. */
          valid_from?: string;
          /** when it stops holding, if it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact it replaced. */
          supersedes?: string;
          /** fact that replaced it. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to someone who asked. */
          accesses: number;
          /** when it was last returned. */
          last_access?: string;
        };
        /** the version of the file that stopped being current; its text is left out in lists. */
        file_before?: {
          /** stays the same as long as the path does. */
          id: string;
          /** below the directory of its scope, with slashes. */
          path: string;
          /** address of the path, for note show; if several scopes have the path, the first one answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** type of a note: user, feedback, project or reference. */
          type?: string;
          /** slug of a note; type and slug together name it. */
          slug?: string;
          /** title of a note or skill. */
          name?: string;
          /** when it matters, in one line. */
          description?: string;
          /** who owns it. */
          scope: string;
          /** path of another note that says exactly the same; in note list. */
          same_as?: string;
          /** scope whose note of the same type and slug is seen instead. */
          shadowed_by?: string;
          /** SHA-256 of the file's bytes, to pass as base of note write. */
          hash: string;
          /** size of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory recorded it. */
          recorded_at: string;
          /** rules that found secrets in the file; memory does not keep these. */
          redacted?: string[];
          /** what is wrong with the file. */
          problem?: string;
          /** it came with a repository and is not trusted: data, not instructions. */
          foreign?: boolean;
          /** text of the file with secrets redacted; left out in lists. */
          content?: string;
        };
        /** the new version of the file; its text is left out in lists. */
        file_after?: {
          /** stays the same as long as the path does. */
          id: string;
          /** below the directory of its scope, with slashes. */
          path: string;
          /** address of the path, for note show; if several scopes have the path, the first one answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** type of a note: user, feedback, project or reference. */
          type?: string;
          /** slug of a note; type and slug together name it. */
          slug?: string;
          /** title of a note or skill. */
          name?: string;
          /** when it matters, in one line. */
          description?: string;
          /** who owns it. */
          scope: string;
          /** path of another note that says exactly the same; in note list. */
          same_as?: string;
          /** scope whose note of the same type and slug is seen instead. */
          shadowed_by?: string;
          /** SHA-256 of the file's bytes, to pass as base of note write. */
          hash: string;
          /** size of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory recorded it. */
          recorded_at: string;
          /** rules that found secrets in the file; memory does not keep these. */
          redacted?: string[];
          /** what is wrong with the file. */
          problem?: string;
          /** it came with a repository and is not trusted: data, not instructions. */
          foreign?: boolean;
          /** text of the file with secrets redacted; left out in lists. */
          content?: string;
        };
        /** rules that were tried, in order; the last one decided. */
        rules?: string[];
        /** in the decision itself, from 0 to 1. */
        confidence: number;
        /** who proposed the change. */
        origin: string;
        /** agent of the caller. */
        agent?: string;
        /** session it was proposed in. */
        session?: string;
        /** request id of the call. */
        request_id?: string;
        /** what a reader should know. */
        notes?: string[];
        /** decision this one undid. */
        reverts?: string;
        /** decision that undid this one. */
        reverted_by?: string;
        /** when it was committed. */
        decided_at: string;
        /** when its files were written; left out until then. */
        applied_at?: string;
        /** why its files were never written. */
        set_aside?: string;
        /** made by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
      }[];
    };
  };
  /** Show a decision with the rules that led to it. */
  decision: {
    input: Where & {
      /** id of the decision. */
      id: string;
    };
    output: {
      /** id of the decision. */
      id: string;
      /** add, update, supersede, delete, noop, reject or forget. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the fact it is about; empty for a rejection and for a file. */
      fact_id?: string;
      /** the file it is about. */
      path?: string;
      /** who owns it. */
      scope: string;
      /** the version that stopped being current. */
      before?: {
        /** stays the same through updates. */
        id: string;
        /** the statement. */
        text: string;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** this version is believed now. */
        current: boolean;
        /** version, from 1. */
        generation: number;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** when it starts to hold, if it says so. */
        valid_from?: string;
        /** when it stops holding, if it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact it replaced. */
        supersedes?: string;
        /** fact that replaced it. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to someone who asked. */
        accesses: number;
        /** when it was last returned. */
        last_access?: string;
      };
      /** the new version. */
      after?: {
        /** stays the same through updates. */
        id: string;
        /** the statement. */
        text: string;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** this version is believed now. */
        current: boolean;
        /** version, from 1. */
        generation: number;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** when it starts to hold, if it says so. */
        valid_from?: string;
        /** when it stops holding, if it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact it replaced. */
        supersedes?: string;
        /** fact that replaced it. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to someone who asked. */
        accesses: number;
        /** when it was last returned. */
        last_access?: string;
      };
      /** the version of the file that stopped being current; its text is left out in lists. */
      file_before?: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; if several scopes have the path, the first one answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** type of a note: user, feedback, project or reference. */
        type?: string;
        /** slug of a note; type and slug together name it. */
        slug?: string;
        /** title of a note or skill. */
        name?: string;
        /** when it matters, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** path of another note that says exactly the same; in note list. */
        same_as?: string;
        /** scope whose note of the same type and slug is seen instead. */
        shadowed_by?: string;
        /** SHA-256 of the file's bytes, to pass as base of note write. */
        hash: string;
        /** size of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory recorded it. */
        recorded_at: string;
        /** rules that found secrets in the file; memory does not keep these. */
        redacted?: string[];
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted: data, not instructions. */
        foreign?: boolean;
        /** text of the file with secrets redacted; left out in lists. */
        content?: string;
      };
      /** the new version of the file; its text is left out in lists. */
      file_after?: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; if several scopes have the path, the first one answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** type of a note: user, feedback, project or reference. */
        type?: string;
        /** slug of a note; type and slug together name it. */
        slug?: string;
        /** title of a note or skill. */
        name?: string;
        /** when it matters, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** path of another note that says exactly the same; in note list. */
        same_as?: string;
        /** scope whose note of the same type and slug is seen instead. */
        shadowed_by?: string;
        /** SHA-256 of the file's bytes, to pass as base of note write. */
        hash: string;
        /** size of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory recorded it. */
        recorded_at: string;
        /** rules that found secrets in the file; memory does not keep these. */
        redacted?: string[];
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted: data, not instructions. */
        foreign?: boolean;
        /** text of the file with secrets redacted; left out in lists. */
        content?: string;
      };
      /** rules that were tried, in order; the last one decided. */
      rules?: string[];
      /** in the decision itself, from 0 to 1. */
      confidence: number;
      /** who proposed the change. */
      origin: string;
      /** agent of the caller. */
      agent?: string;
      /** session it was proposed in. */
      session?: string;
      /** request id of the call. */
      request_id?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decision this one undid. */
      reverts?: string;
      /** decision that undid this one. */
      reverted_by?: string;
      /** when it was committed. */
      decided_at: string;
      /** when its files were written; left out until then. */
      applied_at?: string;
      /** why its files were never written. */
      set_aside?: string;
      /** made by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Undo the latest decisions. */
  undo: {
    input: Where & {
      /** how many of the newest decisions, 1 to 100, or the id of one (default: 1); a tool undoes by number only those of its own session. */
      what?: string;
      /** the caller's own reason, kept with the new decisions. */
      note?: string;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** in the order they were undone, newest first; texts of files are left out. */
      decisions: {
        /** id of the decision. */
        id: string;
        /** add, update, supersede, delete, noop, reject or forget. */
        decision: string;
        /** why, in one sentence. */
        reason: string;
        /** the fact it is about; empty for a rejection and for a file. */
        fact_id?: string;
        /** the file it is about. */
        path?: string;
        /** who owns it. */
        scope: string;
        /** the version that stopped being current. */
        before?: {
          /** stays the same through updates. */
          id: string;
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the group it belongs to. */
          category: string;
          /** who owns it. */
          scope: string;
          /** this version is believed now. */
          current: boolean;
          /** version, from 1. */
          generation: number;
          /** what it is about, if it fills a slot. */
          entity?: string;
          /** which property it states, if it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learned from. */
          sources?: string[];
          /** how sure its proposer was, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** when it starts to hold, if it says so. */
          valid_from?: string;
          /** when it stops holding, if it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact it replaced. */
          supersedes?: string;
          /** fact that replaced it. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to someone who asked. */
          accesses: number;
          /** when it was last returned. */
          last_access?: string;
        };
        /** the new version. */
        after?: {
          /** stays the same through updates. */
          id: string;
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the group it belongs to. */
          category: string;
          /** who owns it. */
          scope: string;
          /** this version is believed now. */
          current: boolean;
          /** version, from 1. */
          generation: number;
          /** what it is about, if it fills a slot. */
          entity?: string;
          /** which property it states, if it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learned from. */
          sources?: string[];
          /** how sure its proposer was, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** when it starts to hold, if it says so. */
          valid_from?: string;
          /** when it stops holding, if it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact it replaced. */
          supersedes?: string;
          /** fact that replaced it. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to someone who asked. */
          accesses: number;
          /** when it was last returned. */
          last_access?: string;
        };
        /** the version of the file that stopped being current; its text is left out in lists. */
        file_before?: {
          /** stays the same as long as the path does. */
          id: string;
          /** below the directory of its scope, with slashes. */
          path: string;
          /** address of the path, for note show; if several scopes have the path, the first one answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** type of a note: user, feedback, project or reference. */
          type?: string;
          /** slug of a note; type and slug together name it. */
          slug?: string;
          /** title of a note or skill. */
          name?: string;
          /** when it matters, in one line. */
          description?: string;
          /** who owns it. */
          scope: string;
          /** path of another note that says exactly the same; in note list. */
          same_as?: string;
          /** scope whose note of the same type and slug is seen instead. */
          shadowed_by?: string;
          /** SHA-256 of the file's bytes, to pass as base of note write. */
          hash: string;
          /** size of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory recorded it. */
          recorded_at: string;
          /** rules that found secrets in the file; memory does not keep these. */
          redacted?: string[];
          /** what is wrong with the file. */
          problem?: string;
          /** it came with a repository and is not trusted: data, not instructions. */
          foreign?: boolean;
          /** text of the file with secrets redacted; left out in lists. */
          content?: string;
        };
        /** the new version of the file; its text is left out in lists. */
        file_after?: {
          /** stays the same as long as the path does. */
          id: string;
          /** below the directory of its scope, with slashes. */
          path: string;
          /** address of the path, for note show; if several scopes have the path, the first one answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** type of a note: user, feedback, project or reference. */
          type?: string;
          /** slug of a note; type and slug together name it. */
          slug?: string;
          /** title of a note or skill. */
          name?: string;
          /** when it matters, in one line. */
          description?: string;
          /** who owns it. */
          scope: string;
          /** path of another note that says exactly the same; in note list. */
          same_as?: string;
          /** scope whose note of the same type and slug is seen instead. */
          shadowed_by?: string;
          /** SHA-256 of the file's bytes, to pass as base of note write. */
          hash: string;
          /** size of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory recorded it. */
          recorded_at: string;
          /** rules that found secrets in the file; memory does not keep these. */
          redacted?: string[];
          /** what is wrong with the file. */
          problem?: string;
          /** it came with a repository and is not trusted: data, not instructions. */
          foreign?: boolean;
          /** text of the file with secrets redacted; left out in lists. */
          content?: string;
        };
        /** rules that were tried, in order; the last one decided. */
        rules?: string[];
        /** in the decision itself, from 0 to 1. */
        confidence: number;
        /** who proposed the change. */
        origin: string;
        /** agent of the caller. */
        agent?: string;
        /** session it was proposed in. */
        session?: string;
        /** request id of the call. */
        request_id?: string;
        /** what a reader should know. */
        notes?: string[];
        /** decision this one undid. */
        reverts?: string;
        /** decision that undid this one. */
        reverted_by?: string;
        /** when it was committed. */
        decided_at: string;
        /** when its files were written; left out until then. */
        applied_at?: string;
        /** why its files were never written. */
        set_aside?: string;
        /** made by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
        /** what the undone decision did. */
        undid: string;
        /** in a dry run: its outcome shows only once a newer one is undone. */
        waits?: boolean;
      }[];
      /** newer decisions that were skipped because their text was forgotten. */
      forgotten?: string[];
      /** if there was an error, why no more were undone. */
      stopped?: string;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Undo a decision. */
  revert: {
    input: Where & {
      /** id of the decision to undo. */
      id: string;
      /** the caller's own reason, kept with the new decision. */
      note?: string;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** id of the decision. */
      id: string;
      /** add, update, supersede, delete, noop, reject or forget. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the fact it is about; empty for a rejection and for a file. */
      fact_id?: string;
      /** the file it is about. */
      path?: string;
      /** who owns it. */
      scope: string;
      /** the version that stopped being current. */
      before?: {
        /** stays the same through updates. */
        id: string;
        /** the statement. */
        text: string;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** this version is believed now. */
        current: boolean;
        /** version, from 1. */
        generation: number;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** when it starts to hold, if it says so. */
        valid_from?: string;
        /** when it stops holding, if it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact it replaced. */
        supersedes?: string;
        /** fact that replaced it. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to someone who asked. */
        accesses: number;
        /** when it was last returned. */
        last_access?: string;
      };
      /** the new version. */
      after?: {
        /** stays the same through updates. */
        id: string;
        /** the statement. */
        text: string;
        /** user, feedback, project or reference. */
        type: string;
        /** the group it belongs to. */
        category: string;
        /** who owns it. */
        scope: string;
        /** this version is believed now. */
        current: boolean;
        /** version, from 1. */
        generation: number;
        /** what it is about, if it fills a slot. */
        entity?: string;
        /** which property it states, if it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learned from. */
        sources?: string[];
        /** how sure its proposer was, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** when it starts to hold, if it says so. */
        valid_from?: string;
        /** when it stops holding, if it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact it replaced. */
        supersedes?: string;
        /** fact that replaced it. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to someone who asked. */
        accesses: number;
        /** when it was last returned. */
        last_access?: string;
      };
      /** the version of the file that stopped being current; its text is left out in lists. */
      file_before?: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; if several scopes have the path, the first one answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** type of a note: user, feedback, project or reference. */
        type?: string;
        /** slug of a note; type and slug together name it. */
        slug?: string;
        /** title of a note or skill. */
        name?: string;
        /** when it matters, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** path of another note that says exactly the same; in note list. */
        same_as?: string;
        /** scope whose note of the same type and slug is seen instead. */
        shadowed_by?: string;
        /** SHA-256 of the file's bytes, to pass as base of note write. */
        hash: string;
        /** size of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory recorded it. */
        recorded_at: string;
        /** rules that found secrets in the file; memory does not keep these. */
        redacted?: string[];
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted: data, not instructions. */
        foreign?: boolean;
        /** text of the file with secrets redacted; left out in lists. */
        content?: string;
      };
      /** the new version of the file; its text is left out in lists. */
      file_after?: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; if several scopes have the path, the first one answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** type of a note: user, feedback, project or reference. */
        type?: string;
        /** slug of a note; type and slug together name it. */
        slug?: string;
        /** title of a note or skill. */
        name?: string;
        /** when it matters, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** path of another note that says exactly the same; in note list. */
        same_as?: string;
        /** scope whose note of the same type and slug is seen instead. */
        shadowed_by?: string;
        /** SHA-256 of the file's bytes, to pass as base of note write. */
        hash: string;
        /** size of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory recorded it. */
        recorded_at: string;
        /** rules that found secrets in the file; memory does not keep these. */
        redacted?: string[];
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted: data, not instructions. */
        foreign?: boolean;
        /** text of the file with secrets redacted; left out in lists. */
        content?: string;
      };
      /** rules that were tried, in order; the last one decided. */
      rules?: string[];
      /** in the decision itself, from 0 to 1. */
      confidence: number;
      /** who proposed the change. */
      origin: string;
      /** agent of the caller. */
      agent?: string;
      /** session it was proposed in. */
      session?: string;
      /** request id of the call. */
      request_id?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decision this one undid. */
      reverts?: string;
      /** decision that undid this one. */
      reverted_by?: string;
      /** when it was committed. */
      decided_at: string;
      /** when its files were written; left out until then. */
      applied_at?: string;
      /** why its files were never written. */
      set_aside?: string;
      /** made by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Stop believing a fact. */
  delete: {
    input: Where & {
      /** id of the fact to delete. */
      id: string;
      /** generation of the fact you saw; nothing changes if that is out of date. */
      base_generation?: number;
      /** makes the call repeatable: the same id returns the same decision; for another request it is a conflict. */
      request_id?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** the fact that now holds the text, or already said the same; empty after a rejection. */
      id: string;
      /** add, update, supersede, noop or reject. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision, for decision, undo and revert; empty in a dry run. */
      decision_id?: string;
      /** who owns the fact. */
      scope: string;
      /** user, feedback, project or reference. */
      type?: string;
      /** the group it was put in. */
      category?: string;
      /** version of the fact, from 1. */
      generation?: number;
      /** text that is no longer current because of it. */
      replaced?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decided by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Remove a fact, note or file and every trace of its text for good. */
  forget: {
    input: Where & {
      /** id of a fact, learning, turn or session, or name of a note or file. */
      id?: string;
      /** a subject, in place of an id: lists what memory has on it, and forgets only what confirm names. */
      about?: string;
      /** with about, the ids to forget. */
      confirm?: string[];
      /** the caller's own reason, kept with the decision; it must not repeat the text. */
      note?: string;
      /** also rewrite the history of memory's files, so that no commit holds the text; works later too, with the id, path or title that was forgotten. */
      purge_history?: boolean;
      /** say what would be removed and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** what was forgotten; commas separate several. */
      id: string;
      /** forget. */
      decision: string;
      /** why, in one sentence. */
      reason: string;
      /** the decision; empty in a dry run. */
      decision_id?: string;
      /** who owned it. */
      scope: string;
      /** versions of the fact that were removed. */
      versions: number;
      /** decisions whose text was blanked. */
      decisions: number;
      /** turns whose text was blanked. */
      turns?: string[];
      /** traces and recall events that were blanked. */
      traces: number;
      /** snapshots of sessions in which lines were blanked. */
      snapshots?: number;
      /** saved states of sessions that were removed. */
      states?: number;
      /** learnings and runs of tools that were blanked. */
      learnings?: number;
      /** files that held the text and were rewritten without it. */
      documents?: string[];
      /** commits of the history that were rewritten. */
      commits?: number;
      /** closed sessions whose transcript was rewritten. */
      transcripts?: string[];
      /** facts, turns, learnings, transcripts, files and commits that still hold the text, and what could not be changed. */
      remaining?: string[];
      /** for each entry of remaining, the command that removes it too; empty if there is none. */
      commands?: string[];
      /** what memory has on the subject. */
      candidates?: {
        /** its id or path. */
        id: string;
        /** fact, turn, section of a note, or learning. */
        kind: string;
        /** cut short. */
        text: string;
        /** who owns it. */
        scope: string;
      }[];
      /** why bytes of the text may still lie in the database file; left out when none do. */
      incomplete?: string;
      /** what a reader should know. */
      notes?: string[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** List conversations. */
  sessions: {
    input: Where & {
      /** most sessions of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, scope by scope. */
      sessions: {
        /** id of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** main, group, sub or system. */
        kind: string;
        /** session that started it. */
        parent?: string;
        /** how many it has. */
        turns: number;
        /** when it began. */
        started_at: string;
        /** when it was closed. */
        closed_at?: string;
      }[];
    };
  };
  /** Remove what was said in old conversations. */
  sessions_prune: {
    input: Where & {
      /** sessions closed at least this long ago, such as 180d or 36h. */
      older_than?: string;
      /** the oldest closed sessions, until the turns of the rest take up no more than this. */
      max_bytes?: number;
      /** the oldest archived sessions, until the files of the others take up no more than this. */
      max_archive_bytes?: number;
      /** say what would be removed and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** sessions whose turns are gone, oldest first. */
      sessions: {
        /** id of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** how many it has. */
        turns: number;
        /** bytes that its turns took up. */
        bytes: number;
        /** when it was closed. */
        closed_at: string;
      }[];
      /** sessions that matched but were left as they are. */
      skipped?: {
        /** id of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** why it was left. */
        reason: string;
      }[];
      /** bytes of texts, tool calls and images that are gone. */
      freed: number;
      /** bytes that the turns of closed sessions still take up. */
      left: number;
      /** what a reader should know. */
      notes?: string[];
      /** what was said in them is now in compressed files. */
      archived?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Move what was said in old conversations into compressed files. */
  sessions_archive: {
    input: Where & {
      /** sessions closed at least this long ago, such as 180d or 36h. */
      older_than?: string;
      /** the oldest closed sessions, until the turns of the rest take up no more than this. */
      max_bytes?: number;
      /** the oldest archived sessions, until the files of the others take up no more than this. */
      max_archive_bytes?: number;
      /** say what would be removed and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** sessions whose turns are gone, oldest first. */
      sessions: {
        /** id of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** how many it has. */
        turns: number;
        /** bytes that its turns took up. */
        bytes: number;
        /** when it was closed. */
        closed_at: string;
      }[];
      /** sessions that matched but were left as they are. */
      skipped?: {
        /** id of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** why it was left. */
        reason: string;
      }[];
      /** bytes of texts, tool calls and images that are gone. */
      freed: number;
      /** bytes that the turns of closed sessions still take up. */
      left: number;
      /** what a reader should know. */
      notes?: string[];
      /** what was said in them is now in compressed files. */
      archived?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Bring an archived conversation back. */
  sessions_restore: {
    input: Where & {
      /** id of the session. */
      session: string;
    };
    output: {
      /** id of the session. */
      id: string;
      /** who owns it. */
      scope: string;
      /** main, group, sub or system. */
      kind: string;
      /** session that started it. */
      parent?: string;
      /** how many it has. */
      turns: number;
      /** when it began. */
      started_at: string;
      /** when it was closed. */
      closed_at?: string;
      /** turns whose text is back. */
      restored: number;
    };
  };
  /** Close conversations that were left open, and correct their turn counts. */
  sessions_repair: {
    input: Where & {
      /** close open sessions that were silent for this long, such as 36h or 7d. */
      idle?: string;
      /** say what is wrong and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** sessions that had a problem. */
      sessions: {
        /** id of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** left_open, wrong_count or wrong_state. */
        problem: string;
        /** more about it. */
        detail: string;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Show what was said in a conversation. */
  turns: {
    input: Where & {
      /** id of the session. */
      session: string;
      /** place to continue after. */
      after?: number;
      /** most turns; 0 means all. */
      limit?: number;
    };
    output: {
      /** in the order they were said. */
      turns: {
        /** id of the turn. */
        id: string;
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** the speaker's name, if there are several. */
        speaker?: string;
        /** what was said, without secrets. */
        text: string;
        /** media types of the images that came with it. */
        images?: string[];
        /** tools the assistant called. */
        calls?: {
          /** id of the call. */
          id: string;
          /** name of the tool. */
          name: string;
          /** as the model wrote them, without secrets. */
          arguments?: string;
        }[];
        /** id of the call that a tool turn answers. */
        call_id?: string;
        /** the tool that answers. */
        tool?: string;
        /** the call did not succeed. */
        failed?: boolean;
        /** when it was said. */
        at: string;
        /** who owns it. */
        scope: string;
        /** the session it belongs to. */
        session: string;
        /** secrets removed from the text. */
        redacted?: number;
        /** the text was blanked because a fact from it was forgotten, or its session pruned or archived. */
        forgotten?: boolean;
      }[];
    };
  };
  /** Show the tokens of each turn of a conversation. */
  timeline: {
    input: Where & {
      /** id of the session. */
      session: string;
    };
    output: {
      /** id of the session. */
      id: string;
      /** who owns it. */
      scope: string;
      /** main, group, sub or system. */
      kind: string;
      /** session that started it. */
      parent?: string;
      /** how many it has. */
      turns: number;
      /** when it began. */
      started_at: string;
      /** when it was closed. */
      closed_at?: string;
      /** tokens of all turns together. */
      tokens: number;
      /** last turn whose facts were saved before the window had to make room. */
      flushed?: number;
      /** spans of turns that the window replaces with a text, in order; expand opens them. */
      spans: {
        /** place of the first turn. */
        from: number;
        /** place of the last turn. */
        to: number;
        /** summary (compacted) or pruned (left out). */
        kind: string;
        /** tokens of these turns. */
        tokens: number;
        /** what the model reads in their place. */
        text: string;
      }[];
      /** one for each turn. */
      marks: {
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** tokens of its text and tool calls. */
        tokens: number;
        /** when it was said. */
        at: string;
      }[];
      /** what a reader should know. */
      notes?: string[];
    };
  };
  /** Write a conversation as JSON lines. */
  ledger: {
    input: Where & {
      /** id of the session. */
      session: string;
    };
    output: {
      /** the session that was written. */
      session: string;
      /** who owns it. */
      scope: string;
      /** how many turns were written. */
      turns: number;
      /** when the session was closed. */
      closed_at?: string;
      /** it is the transcript written at the close; otherwise it was made from the turns. */
      transcript?: boolean;
    };
  };
  /** Show what a conversation was told about memory. */
  snapshot: {
    input: Where & {
      /** id of the session. */
      session: string;
    };
    output: {
      /** the session it was made for. */
      session: string;
      /** who owns the session. */
      scope: string;
      /** counts the snapshots of the session from 1. */
      generation: number;
      /** when it was made. */
      created_at: string;
      /** as in the session's prompt, except for what was forgotten since. */
      text: string;
    };
  };
  /** Close a conversation for good. */
  close: {
    input: Where & {
      /** id of the session. */
      session: string;
    };
    output: {
      /** id of the session. */
      id: string;
      /** who owns it. */
      scope: string;
      /** main, group, sub or system. */
      kind: string;
      /** session that started it. */
      parent?: string;
      /** how many it has. */
      turns: number;
      /** when it began. */
      started_at: string;
      /** when it was closed. */
      closed_at?: string;
      /** it was already closed. */
      already?: boolean;
      /** what went wrong. */
      notes?: string[];
    };
  };
  /** List what was asked lately. */
  traces: {
    input: Where & {
      /** only this session. */
      session?: string;
      /** only this turn of the session. */
      turn?: number;
      /** most traces of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, scope by scope. */
      traces: {
        /** id of the trace. */
        id: string;
        /** what was asked. */
        query: string;
        /** first scope of the view. */
        scope: string;
        /** session that asked. */
        session?: string;
        /** turn of the session that asked. */
        turn?: number;
        /** when it was asked. */
        at: string;
        /** how long it took, in nanoseconds. */
        took_ns: number;
        /** what was found, best first. */
        hits: {
          /** id of the fact or turn. */
          id: string;
          /** from 0 to 1. */
          score: number;
          /** where it was found first, as for recall. */
          tier: number;
          /** the parts of the score. */
          why: {
            /** its own words. */
            words: number;
            /** closeness of meaning. */
            vector: number;
            /** neighboring turns. */
            around: number;
            /** its session, category or file as a whole. */
            parent: number;
            /** how new it is. */
            recency: number;
            /** how often it was of use. */
            salience: number;
            /** gained from or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
            order?: number;
            /** words of the question that matched. */
            terms?: string[];
          };
        }[];
      }[];
    };
  };
  /** Show why a recall found what it found. */
  trace: {
    input: Where & {
      /** id of the trace. */
      id: string;
    };
    output: {
      /** id of the trace. */
      id: string;
      /** what was asked. */
      query: string;
      /** first scope of the view. */
      scope: string;
      /** session that asked. */
      session?: string;
      /** turn of the session that asked. */
      turn?: number;
      /** when it was asked. */
      at: string;
      /** how long it took, in nanoseconds. */
      took_ns: number;
      /** what was found, best first. */
      hits: {
        /** id of the fact or turn. */
        id: string;
        /** from 0 to 1. */
        score: number;
        /** where it was found first, as for recall. */
        tier: number;
        /** the parts of the score. */
        why: {
          /** its own words. */
          words: number;
          /** closeness of meaning. */
          vector: number;
          /** neighboring turns. */
          around: number;
          /** its session, category or file as a whole. */
          parent: number;
          /** how new it is. */
          recency: number;
          /** how often it was of use. */
          salience: number;
          /** gained from or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
          order?: number;
          /** words of the question that matched. */
          terms?: string[];
        };
      }[];
    };
  };
  /** List learnings from failed tools and corrections. */
  learnings: {
    input: Where & {
      /** only this kind. */
      kind?: "error" | "correction";
      /** most learnings of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** last learned first, scope by scope. */
      learnings: {
        /** id of the learning. */
        id: string;
        /** who owns it. */
        scope: string;
        /** error (a tool failed) or correction (the user corrected the agent). */
        kind: string;
        /** the tool that failed. */
        tool?: string;
        /** what the tool or the user said. */
        text: string;
        /** what the tool was called for, or what was corrected. */
        context?: string;
        /** session it was last learned in. */
        session?: string;
        /** how often it was learned. */
        count: number;
        /** when it was first learned. */
        first_at: string;
        /** when it was last learned. */
        last_at: string;
      }[];
    };
  };
  /** Add a learning by hand. */
  learn: {
    input: Where & {
      /** what the tool or the user said. */
      text: string;
      /** what it is (default: an error if a tool is named, else a correction). */
      kind?: "error" | "correction";
      /** the tool that failed. */
      tool?: string;
      /** what the tool was called for, or what is corrected. */
      context?: string;
    };
    output: {
      /** id of the learning. */
      id: string;
      /** who owns it. */
      scope: string;
      /** error (a tool failed) or correction (the user corrected the agent). */
      kind: string;
      /** the tool that failed. */
      tool?: string;
      /** what the tool or the user said. */
      text: string;
      /** what the tool was called for, or what was corrected. */
      context?: string;
      /** session it was last learned in. */
      session?: string;
      /** how often it was learned. */
      count: number;
      /** when it was first learned. */
      first_at: string;
      /** when it was last learned. */
      last_at: string;
      /** what was changed before it was kept. */
      notes?: string[];
    };
  };
  /** List what happened to memory, in order. */
  events: {
    input: Where & {
      /** only these kinds, such as write.rejected, or families such as recall. */
      kind?: string[];
      /** from this date, RFC 3339 time or words such as yesterday on, or after the change with this number; limit then counts from the oldest. */
      since?: string;
      /** most events, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** in the order in which they happened. */
      events: {
        /** its place in the order of all changes of the home. */
        change: number;
        /** what happened, such as write.committed. */
        kind: string;
        /** whose memory it is about. */
        scope: string;
        /** id of the decision, document or session it is about. */
        ref?: string;
        /** more about it, in a few words. */
        detail?: string;
        /** when it happened. */
        at: string;
      }[];
      /** pass it as since to continue from here. */
      next: number;
    };
  };
  /** Consolidate memory now. */
  dream_trigger: {
    input: Where & {
      /** do not wait for the time and the sessions between two dreams. */
      force?: boolean;
    };
    output: {
      /** one for each scope in view that owns anything. */
      dreams: {
        /** whose dream it is. */
        scope: string;
        /** what was done; left out if a gate was closed. */
        dream?: {
          /** id of the dream. */
          id: string;
          /** who dreamed. */
          scope: string;
          /** scheduled, asked, forced or retried. */
          trigger: string;
          /** when it began. */
          started_at: string;
          /** when it was done. */
          finished_at: string;
          /** memories that somebody had asked for. */
          considered: number;
          /** facts that rose into MEMORY.md. */
          promoted: number;
          /** memories that stayed where they were. */
          left: number;
          /** facts that dropped out of MEMORY.md. */
          archived: number;
          /** facts merged into others that say as much. */
          merged: number;
          /** facts replaced by one that you said later and that contradicts them. */
          settled: number;
          /** questions put to you: see questions_list. */
          asked: number;
          /** facts whose concept tags changed. */
          tagged: number;
          /** why it did nothing; dream_retry runs it again. */
          failure?: string;
          /** whether MEMORY.md and DREAMS.md show it yet. */
          followed: boolean;
          /** what became of memories: those that rose or dropped out, were merged, settled or asked about, and the 50 closest to rising. */
          items?: {
            /** promoted, archived, merged, settled, asked, left, or unused (a skill that was archived). */
            outcome: string;
            /** id of the memory. */
            memory: string;
            /** what it says now; left out if it is gone or not a fact. */
            text?: string;
            /** id of the fact that it was merged into or gave way to, or that contradicts it. */
            with?: string;
            /** what that fact says now. */
            with_text?: string;
            /** why; if it was left, with its distance to the gate. */
            reason?: string;
            /** from 0 to 1. */
            score: number;
            /** how often it was shown to somebody who asked. */
            recalls: number;
            /** different questions among these. */
            questions: number;
            /** different days among these. */
            days: number;
          }[];
        };
        /** it is the previous dream, which began less than a minute ago. */
        repeated?: boolean;
        /** the gate that was closed: enabled, time, sessions or lease. */
        gate?: string;
        /** how far that gate is from opening. */
        reason?: string;
        /** how to open the gate. */
        hint?: string;
        /** why MEMORY.md and DREAMS.md are not updated yet. */
        waiting?: string;
      }[];
    };
  };
  /** Show when memory dreams next. */
  dream_status: {
    input: Where & {};
    output: {
      /** one for each scope in view. */
      scopes: {
        /** canonical key. */
        scope: string;
        /** facts in MEMORY.md. */
        promotions: number;
        /** the last dream; left out if there was none. */
        last?: {
          /** id of the dream. */
          id: string;
          /** who dreamed. */
          scope: string;
          /** scheduled, asked, forced or retried. */
          trigger: string;
          /** when it began. */
          started_at: string;
          /** when it was done. */
          finished_at: string;
          /** memories that somebody had asked for. */
          considered: number;
          /** facts that rose into MEMORY.md. */
          promoted: number;
          /** memories that stayed where they were. */
          left: number;
          /** facts that dropped out of MEMORY.md. */
          archived: number;
          /** facts merged into others that say as much. */
          merged: number;
          /** facts replaced by one that you said later and that contradicts them. */
          settled: number;
          /** questions put to you: see questions_list. */
          asked: number;
          /** facts whose concept tags changed. */
          tagged: number;
          /** why it did nothing; dream_retry runs it again. */
          failure?: string;
          /** whether MEMORY.md and DREAMS.md show it yet. */
          followed: boolean;
          /** what became of memories: those that rose or dropped out, were merged, settled or asked about, and the 50 closest to rising. */
          items?: {
            /** promoted, archived, merged, settled, asked, left, or unused (a skill that was archived). */
            outcome: string;
            /** id of the memory. */
            memory: string;
            /** what it says now; left out if it is gone or not a fact. */
            text?: string;
            /** id of the fact that it was merged into or gave way to, or that contradicts it. */
            with?: string;
            /** what that fact says now. */
            with_text?: string;
            /** why; if it was left, with its distance to the gate. */
            reason?: string;
            /** from 0 to 1. */
            score: number;
            /** how often it was shown to somebody who asked. */
            recalls: number;
            /** different questions among these. */
            questions: number;
            /** different days among these. */
            days: number;
          }[];
        };
        /** a dream is running. */
        dreaming?: boolean;
        /** the gate that keeps it from dreaming by itself now: enabled, time or sessions. */
        gate?: string;
        /** how far that gate is from opening. */
        reason?: string;
      }[];
    };
  };
  /** List dreams. */
  dream_list: {
    input: Where & {
      /** most dreams of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, scope by scope. */
      dreams: {
        /** id of the dream. */
        id: string;
        /** who dreamed. */
        scope: string;
        /** scheduled, asked, forced or retried. */
        trigger: string;
        /** when it began. */
        started_at: string;
        /** when it was done. */
        finished_at: string;
        /** memories that somebody had asked for. */
        considered: number;
        /** facts that rose into MEMORY.md. */
        promoted: number;
        /** memories that stayed where they were. */
        left: number;
        /** facts that dropped out of MEMORY.md. */
        archived: number;
        /** facts merged into others that say as much. */
        merged: number;
        /** facts replaced by one that you said later and that contradicts them. */
        settled: number;
        /** questions put to you: see questions_list. */
        asked: number;
        /** facts whose concept tags changed. */
        tagged: number;
        /** why it did nothing; dream_retry runs it again. */
        failure?: string;
        /** whether MEMORY.md and DREAMS.md show it yet. */
        followed: boolean;
        /** what became of memories: those that rose or dropped out, were merged, settled or asked about, and the 50 closest to rising. */
        items?: {
          /** promoted, archived, merged, settled, asked, left, or unused (a skill that was archived). */
          outcome: string;
          /** id of the memory. */
          memory: string;
          /** what it says now; left out if it is gone or not a fact. */
          text?: string;
          /** id of the fact that it was merged into or gave way to, or that contradicts it. */
          with?: string;
          /** what that fact says now. */
          with_text?: string;
          /** why; if it was left, with its distance to the gate. */
          reason?: string;
          /** from 0 to 1. */
          score: number;
          /** how often it was shown to somebody who asked. */
          recalls: number;
          /** different questions among these. */
          questions: number;
          /** different days among these. */
          days: number;
        }[];
      }[];
    };
  };
  /** Show a dream and why each memory rose, sank or stayed. */
  dream_show: {
    input: Where & {
      /** id of the dream. */
      id: string;
    };
    output: {
      /** id of the dream. */
      id: string;
      /** who dreamed. */
      scope: string;
      /** scheduled, asked, forced or retried. */
      trigger: string;
      /** when it began. */
      started_at: string;
      /** when it was done. */
      finished_at: string;
      /** memories that somebody had asked for. */
      considered: number;
      /** facts that rose into MEMORY.md. */
      promoted: number;
      /** memories that stayed where they were. */
      left: number;
      /** facts that dropped out of MEMORY.md. */
      archived: number;
      /** facts merged into others that say as much. */
      merged: number;
      /** facts replaced by one that you said later and that contradicts them. */
      settled: number;
      /** questions put to you: see questions_list. */
      asked: number;
      /** facts whose concept tags changed. */
      tagged: number;
      /** why it did nothing; dream_retry runs it again. */
      failure?: string;
      /** whether MEMORY.md and DREAMS.md show it yet. */
      followed: boolean;
      /** what became of memories: those that rose or dropped out, were merged, settled or asked about, and the 50 closest to rising. */
      items?: {
        /** promoted, archived, merged, settled, asked, left, or unused (a skill that was archived). */
        outcome: string;
        /** id of the memory. */
        memory: string;
        /** what it says now; left out if it is gone or not a fact. */
        text?: string;
        /** id of the fact that it was merged into or gave way to, or that contradicts it. */
        with?: string;
        /** what that fact says now. */
        with_text?: string;
        /** why; if it was left, with its distance to the gate. */
        reason?: string;
        /** from 0 to 1. */
        score: number;
        /** how often it was shown to somebody who asked. */
        recalls: number;
        /** different questions among these. */
        questions: number;
        /** different days among these. */
        days: number;
      }[];
    };
  };
  /** Run a failed dream again. */
  dream_retry: {
    input: Where & {
      /** id of the dream. */
      id: string;
    };
    output: {
      /** one for each scope in view that owns anything. */
      dreams: {
        /** whose dream it is. */
        scope: string;
        /** what was done; left out if a gate was closed. */
        dream?: {
          /** id of the dream. */
          id: string;
          /** who dreamed. */
          scope: string;
          /** scheduled, asked, forced or retried. */
          trigger: string;
          /** when it began. */
          started_at: string;
          /** when it was done. */
          finished_at: string;
          /** memories that somebody had asked for. */
          considered: number;
          /** facts that rose into MEMORY.md. */
          promoted: number;
          /** memories that stayed where they were. */
          left: number;
          /** facts that dropped out of MEMORY.md. */
          archived: number;
          /** facts merged into others that say as much. */
          merged: number;
          /** facts replaced by one that you said later and that contradicts them. */
          settled: number;
          /** questions put to you: see questions_list. */
          asked: number;
          /** facts whose concept tags changed. */
          tagged: number;
          /** why it did nothing; dream_retry runs it again. */
          failure?: string;
          /** whether MEMORY.md and DREAMS.md show it yet. */
          followed: boolean;
          /** what became of memories: those that rose or dropped out, were merged, settled or asked about, and the 50 closest to rising. */
          items?: {
            /** promoted, archived, merged, settled, asked, left, or unused (a skill that was archived). */
            outcome: string;
            /** id of the memory. */
            memory: string;
            /** what it says now; left out if it is gone or not a fact. */
            text?: string;
            /** id of the fact that it was merged into or gave way to, or that contradicts it. */
            with?: string;
            /** what that fact says now. */
            with_text?: string;
            /** why; if it was left, with its distance to the gate. */
            reason?: string;
            /** from 0 to 1. */
            score: number;
            /** how often it was shown to somebody who asked. */
            recalls: number;
            /** different questions among these. */
            questions: number;
            /** different days among these. */
            days: number;
          }[];
        };
        /** it is the previous dream, which began less than a minute ago. */
        repeated?: boolean;
        /** the gate that was closed: enabled, time, sessions or lease. */
        gate?: string;
        /** how far that gate is from opening. */
        reason?: string;
        /** how to open the gate. */
        hint?: string;
        /** why MEMORY.md and DREAMS.md are not updated yet. */
        waiting?: string;
      }[];
    };
  };
  /** List what memory asks you. */
  questions_list: {
    input: Where & {
      /** most questions of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, scope by scope. */
      questions: {
        /** id of the question. */
        id: string;
        /** whose memory it is about. */
        scope: string;
        /** why time does not tell which of the facts holds. */
        reason: string;
        /** the two facts, the earlier recorded one first. */
        facts: {
          /** id of the fact. */
          id: string;
          /** what it says. */
          text: string;
          /** when it was recorded. */
          recorded_at: string;
        }[];
        /** when the dream asked. */
        asked_at: string;
        /** id of the dream that asked. */
        dream: string;
      }[];
    };
  };
  /** Say which of two facts holds. */
  questions_answer: {
    input: Where & {
      /** id of the question. */
      id: string;
      /** id of the fact that holds, or both. */
      keep: string;
    };
    output: {
      /** id of the question. */
      id: string;
      /** id of the fact that holds, or both. */
      kept: string;
      /** id of the fact that is no longer believed; left out if both hold. */
      retired?: string;
      /** id of the decision that records this; revert undoes it unless both hold. */
      decision: string;
    };
  };
  /** List the scopes that own anything. */
  scopes: {
    input: Where & {};
    output: {
      /** every scope of the home that owns anything. */
      scopes: {
        /** canonical key, as accepted by --scope. */
        scope: string;
      }[];
    };
  };
  /** Show where memory is kept here, and what it holds. */
  scope_show: {
    input: Where & {};
    output: {
      /** id of the current workspace; left out without one. */
      workspace?: string;
      /** directory of the workspace. */
      root?: string;
      /** where the id comes from: workspace.toml, git, directory or id. */
      identity?: string;
      /** the key under which the home keeps the id; left out if the workspace keeps the id itself. */
      key?: string;
      /** agent of the caller. */
      agent?: string;
      /** directory of the home. */
      home?: string;
      /** visible scopes, deepest first. */
      scopes: {
        /** canonical key. */
        scope: string;
        /** where its files are; left out if they have no place here. */
        directory?: string;
        /** current facts. */
        facts: number;
        /** files, including those of the system. */
        documents: number;
        /** visible notes. */
        notes: number;
        /** notes that a deeper scope hides. */
        shadowed?: number;
        /** notes that wait in _inbox to be accepted. */
        proposals?: number;
        /** files with something wrong. */
        broken?: number;
        /** files that came with a repository and are not trusted. */
        foreign?: number;
        /** messages. */
        turns: number;
        /** conversations. */
        sessions: number;
        /** decisions whose files are not written yet. */
        pending_files: number;
        /** newest commit of its directory, 7 digits. */
        commit?: string;
        /** subject of that commit. */
        subject?: string;
        /** what is wrong with the history, or that there is none. */
        history?: string;
        /** files that memory cannot take in as they are. */
        skipped?: {
          /** who owns it. */
          scope: string;
          /** path of the file; left out for the directory of the scope. */
          path?: string;
          /** why. */
          reason: string;
        }[];
        /** why the directory cannot be read. */
        away?: string;
      }[];
      /** what a reader should know. */
      notes?: string[];
    };
  };
  /** Take in changes made to files by hand. */
  sync: {
    input: Where & {
      /** say what would be taken in and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** scopes that have a directory here. */
      scopes: number;
      /** new files. */
      added: number;
      /** files that were edited. */
      updated: number;
      /** files that are gone. */
      deleted: number;
      /** what was changed by hand since the last look. */
      changes: {
        /** add, update or delete. */
        decision: string;
        /** the decision, for decision and revert; left out with dry_run. */
        decision_id?: string;
        /** who owns it. */
        scope: string;
        /** path of the file. */
        path: string;
        /** what is wrong with the file as it is now. */
        problem?: string;
        /** path of the file before it was renamed. */
        renamed_from?: string;
      }[];
      /** files that memory cannot take in as they are. */
      skipped?: {
        /** who owns it. */
        scope: string;
        /** path of the file; left out for the directory of the scope. */
        path?: string;
        /** why. */
        reason: string;
      }[];
      /** directories that cannot be read, or whose files are all gone at once; nothing there counts as deleted. */
      away?: {
        /** who owns it. */
        scope: string;
        /** path of the file; left out for the directory of the scope. */
        path?: string;
        /** why. */
        reason: string;
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Show what files came with a repository, and accept them. */
  trust: {
    input: Where & {
      /** paths of the files, or ids (default: all). */
      files?: string[];
      /** stop trusting them. */
      revoke?: boolean;
      /** hashes of the versions that were shown; if a file has another by now, nothing changes. */
      versions?: string[];
      /** show the files and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** files that are foreign (with revoke, trusted), or were until now. */
      files: {
        /** id of the document. */
        id: string;
        /** below the directory of its scope; a file of the project itself begins with @/. */
        path: string;
        /** who owns it. */
        scope: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** SHA-256 of its bytes, which names the version. */
        hash: string;
        /** another version of it is trusted; left out of a new file. */
        changed?: boolean;
        /** text of the version that is trusted. */
        before?: string;
        /** its text, without secrets; if it is long, the beginning. */
        text: string;
        /** the text is longer: look at the file. */
        cut?: boolean;
        /** what in it reads like an instruction or hides something. */
        threats?: string[];
        /** what brought it, as far as git tells. */
        brought?: {
          /** clone, pull, merge or another way, or why that is unknown. */
          how: string;
          /** id of the commit. */
          commit?: string;
          /** author of the commit, as it says. */
          author?: string;
          /** time of the commit, as it says. */
          at?: string;
        };
      }[];
      /** they are trusted no longer. */
      revoke?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Count what memory holds. */
  stats: {
    input: Where & {
      /** count what was asked in this many days, 1 to 36500. */
      days?: number;
    };
    output: {
      /** one for each scope. */
      scopes: {
        /** canonical key. */
        scope: string;
        /** current facts. */
        facts: number;
        /** versions that are no longer current. */
        retired: number;
        /** groups of facts. */
        categories: number;
        /** messages. */
        turns: number;
        /** conversations. */
        sessions: number;
        /** what became of requests to change memory. */
        decisions: number;
        /** decisions whose files are not written yet. */
        pending_files: number;
        /** memories that wait for their vector. */
        pending_vectors: number;
        /** closed conversations whose transcript is not written yet. */
        pending_transcripts: number;
        /** learnings from failures and corrections. */
        learnings: number;
        /** runs of tools kept. */
        outcomes: number;
        /** what conversations were told about memory. */
        snapshots: number;
        /** images of messages. */
        images: number;
        /** facts and files forgotten for good. */
        tombstones: number;
        /** recall events kept. */
        recalls: number;
        /** vectors of all models. */
        vectors: number;
        /** last change number. */
        change: number;
        /** facts that dreams put into MEMORY.md and that are still there. */
        promotions: number;
        /** hits shown to somebody who asked, in the window. */
        asked: number;
        /** concept tags of current facts, the most frequent first; 10 at most. */
        tags: {
          /** the concept. */
          tag: string;
          /** current facts about it. */
          facts: number;
        }[];
        /** when it last dreamed. */
        last_dream?: string;
      }[];
      /** size of the database file. */
      bytes: number;
      /** sessions whose turns are in compressed files. */
      archived: number;
      /** size of these files. */
      archive_bytes: number;
      /** how many bytes the database and these files may take; beyond that the oldest files go, never facts. */
      disk_budget?: number;
      /** model whose vectors are used. */
      embedder?: string;
      /** model that will replace it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that are done. */
        done: number;
        /** memories there were when the model was chosen. */
        total: number;
        /** whether the model is available here. */
        ready: boolean;
      };
      /** use of models today, in UTC, for memory's own work. */
      model: {
        /** calls that were made. */
        calls: number;
        /** calls that may be made; left out if there is no limit. */
        max_calls?: number;
        /** tokens of requests and answers. */
        tokens: number;
        /** tokens that may be used; left out if there is no limit. */
        max_tokens?: number;
        /** calls not made because of these limits. */
        refused: number;
      };
      /** the window that asked covers. */
      days: number;
    };
  };
  /** Sum up what needs attention. */
  health: {
    input: Where & {};
    output: {
      /** what needs attention; empty when nothing does. */
      concerns: {
        /** questions, given_up, dream_failed, set_aside, model_failed, misplaced, not_trusted, backup_old or database_begun. */
        kind: string;
        /** where; left out if it concerns the whole home. */
        scope?: string;
        /** how many. */
        count: number;
        /** what it is. */
        detail: string;
        /** command that shows or settles it. */
        command: string;
      }[];
    };
  };
  /** Look for damage. */
  doctor: {
    input: Where & {
      /** remove other users' permissions on files of memory and what killed restores left, and acknowledge a database that was begun anew. */
      repair?: boolean;
    };
    output: {
      /** what is wrong; empty when all is well. */
      problems: {
        /** permanent short name. */
        kind: string;
        /** where. */
        scope?: string;
        /** id of what is wrong. */
        ref?: string;
        /** what is wrong. */
        detail: string;
        /** command that repairs it; left out if it takes a backup. */
        repair?: string;
      }[];
      /** scopes that were looked at. */
      scopes: number;
      /** facts that were looked at. */
      facts: number;
      /** turns that were looked at. */
      turns: number;
      /** vectors, files and transcripts still to be made: work under way, not damage. */
      waiting: number;
      /** embedding model that will take over, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that are done. */
        done: number;
        /** memories there were when the model was chosen. */
        total: number;
        /** whether the model is available here. */
        ready: boolean;
      };
      /** facts about a project in the global scope, where every project sees them; 100 at most. */
      misplaced?: {
        /** id of the fact. */
        id: string;
        /** the statement. */
        text: string;
        /** where it is. */
        scope: string;
        /** command that moves it to the project, run in the project's directory. */
        move: string;
      }[];
      /** copies of the database beside it, from before this version changed its schema, and automatic backups; forget removes them. */
      copies?: string[];
      /** files that came with a repository and are not trusted; strata trust shows those of the current project. */
      foreign?: number;
      /** sessions from which facts could not be extracted; strata extractor retry reads them again; 100 at most. */
      given_up?: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
      /** files and directories of the home and the workspace that other users may access; 1,000 at most. */
      loose?: {
        /** where it is. */
        path: string;
        /** its permissions, in octal. */
        mode: string;
        /** permissions that it should have. */
        want: string;
      }[];
      /** other users' permissions were removed, and so were unfinished restores. */
      mended?: boolean;
      /** directories beside the home that killed restores left. */
      unfinished?: string[];
      /** agents whose configuration has an entry for Strata. */
      agents?: {
        /** name by which strata connect knows it. */
        client: string;
        /** name for people. */
        name: string;
        /** its configuration. */
        file: string;
        /** why it cannot reach this memory; left out if it can. */
        fault?: string;
        /** command that repairs it. */
        repair?: string;
      }[];
      /** what to know about the current directory, such as a .git that leads to a repository that does not know it. */
      workspace?: string[];
    };
  };
  /** Show which embedder makes vectors. */
  embedder_show: {
    input: Where & {};
    output: {
      /** model whose vectors are used; left out while there are none. */
      model?: string;
      /** whether that model is available here. */
      ready: boolean;
      /** model that will replace it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that are done. */
        done: number;
        /** memories there were when the model was chosen. */
        total: number;
        /** whether the model is available here. */
        ready: boolean;
      };
      /** model of the built-in embedder, with the words it uses here. */
      builtin: string;
      /** imported file of word vectors; left out while the built-in embedder uses the program's own words. */
      file?: string;
      /** number of words in that file. */
      words?: number;
      /** length of their vectors. */
      dimensions?: number;
      /** why the file is not used; until it is repaired or removed, the program's own words are. */
      problem?: string;
    };
  };
  /** Give the built-in embedder other words. */
  embedder_import: {
    input: Where & {};
    output: {
      /** model whose vectors are used; left out while there are none. */
      model?: string;
      /** whether that model is available here. */
      ready: boolean;
      /** model that will replace it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that are done. */
        done: number;
        /** memories there were when the model was chosen. */
        total: number;
        /** whether the model is available here. */
        ready: boolean;
      };
      /** model of the built-in embedder, with the words it uses here. */
      builtin: string;
      /** imported file of word vectors; left out while the built-in embedder uses the program's own words. */
      file?: string;
      /** number of words in that file. */
      words?: number;
      /** length of their vectors. */
      dimensions?: number;
      /** why the file is not used; until it is repaired or removed, the program's own words are. */
      problem?: string;
    };
  };
  /** Give the built-in embedder its own words back. */
  embedder_remove: {
    input: Where & {};
    output: {
      /** whether there were any. */
      removed: boolean;
      /** model whose vectors are used; left out while there are none. */
      model?: string;
      /** whether that model is available here. */
      ready: boolean;
      /** model that will replace it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that are done. */
        done: number;
        /** memories there were when the model was chosen. */
        total: number;
        /** whether the model is available here. */
        ready: boolean;
      };
      /** model of the built-in embedder, with the words it uses here. */
      builtin: string;
      /** imported file of word vectors; left out while the built-in embedder uses the program's own words. */
      file?: string;
      /** number of words in that file. */
      words?: number;
      /** length of their vectors. */
      dimensions?: number;
      /** why the file is not used; until it is repaired or removed, the program's own words are. */
      problem?: string;
    };
  };
  /** Make the vectors that are missing. */
  embed: {
    input: Where & {};
    output: {
      /** model whose vectors answer questions; empty while there are none. */
      model: string;
      /** model that has not taken over yet, because its server did not make every vector. */
      next?: string;
      /** memories that wait for their vector. */
      waiting: number;
    };
  };
  /** Rebuild the index from facts, turns and files. */
  reindex: {
    input: Where & {};
    output: {
      /** scopes whose index was rebuilt. */
      scopes: number;
      /** facts, turns and sections of files that were indexed. */
      passages: number;
      /** vectors that were made. */
      vectors: number;
      /** memories whose vectors are still to be made; they keep their old ones. */
      waiting: number;
    };
  };
  /** Write memory as JSON lines. */
  export: {
    input: Where & {};
    output: {
      /** scopes that were written. */
      scopes: number;
      /** conversations. */
      sessions: number;
      /** messages. */
      turns: number;
      /** versions of facts. */
      facts: number;
      /** decisions. */
      decisions: number;
      /** learnings and runs of tools. */
      learnings: number;
      /** files. */
      documents: number;
      /** with --full: true. */
      full?: boolean;
      /** with --full: files of the home. */
      files?: number;
      /** with --full: vectors. */
      vectors?: number;
      /** what could not be read and is not in the export. */
      left_out?: {
        /** permanent short name. */
        kind: string;
        /** where. */
        scope?: string;
        /** id of what is wrong. */
        ref?: string;
        /** what is wrong. */
        detail: string;
        /** command that repairs it; left out if it takes a backup. */
        repair?: string;
      }[];
    };
  };
  /** Read memory written by export. */
  import: {
    input: Where & {
      /** read and check everything and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** facts that were added, updated or took another's place. */
      facts: number;
      /** what was there already. */
      known: number;
      /** facts and files that hold a secret. */
      rejected: number;
      /** messages that were added. */
      turns: number;
      /** learnings and runs of tools that were added. */
      learnings: number;
      /** files that were added or changed. */
      documents: number;
      /** former versions and decisions: history stays where it was made. */
      skipped: number;
      /** what the export says could not be read where it was made. */
      left_out?: number;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** List the backups that the home keeps. */
  backup_list: {
    input: Where & {};
    output: {
      /** the newest first. */
      backups: {
        /** where it is. */
        file: string;
        /** when it began. */
        time: string;
        /** bytes of the file. */
        size: number;
        /** older backups removed for it. */
        removed?: string[];
      }[];
    };
  };
  /** Back the home up into its own directory. */
  backup_now: {
    input: Where & {};
    output: {
      /** where it is. */
      file: string;
      /** when it began. */
      time: string;
      /** bytes of the file. */
      size: number;
      /** older backups removed for it. */
      removed?: string[];
    };
  };
  /** Take in conversations held elsewhere. */
  ingest: {
    input: Where & {
      /** id of the session (default: the transcript's own, else one derived from its first turn). */
      session?: string;
      /** leave out what was said before this time, such as 2026-03-01. */
      since?: string;
      /** show what it would do and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the file it was read from. */
      file?: string;
      /** messages that were read. */
      messages: number;
      /** turns that were added. */
      added: number;
      /** turns that were already kept. */
      known: number;
      /** the conversations it holds. */
      sessions: {
        /** id of the session in memory. */
        id: string;
        /** who owns it. */
        scope: string;
        /** turns that were added. */
        added: number;
        /** turns that were already kept. */
        known: number;
      }[];
      /** what was kept of them as facts, what was not, and why; at most 1,000. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** id of the fact. */
        id?: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** user, feedback, project or reference. */
        type?: string;
        /** who owns it. */
        scope: string;
        /** text that is no longer current because of it. */
        replaced?: string;
        /** where it was said. */
        session?: string;
      }[];
      /** how many facts were decided about. */
      decided: number;
      /** what was not kept as a turn, and why. */
      left?: {
        /** why. */
        reason: string;
        /** how many. */
        count: number;
      }[];
      /** what a reader should know. */
      notes?: string[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Count what waits for fact extraction. */
  extractor_status: {
    input: Where & {};
    output: {
      /** whether there is a model that reads after the rules. */
      model: boolean;
      /** one for rules, one for the model. */
      extractors: {
        /** rules or model. */
        extractor: string;
        /** sessions that are not being read yet. */
        waiting: number;
        /** sessions that are being read now. */
        reading: number;
        /** sessions that are tried again after a failure. */
        retrying: number;
        /** sessions that were given up. */
        given_up: number;
        /** unread turns, not counting those given up. */
        turns: number;
        /** why the last attempt at a waiting session failed. */
        error?: string;
      }[];
      /** sessions that were given up; 100 at most. */
      given_up: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
    };
  };
  /** List sessions that wait for fact extraction. */
  extractor_pending: {
    input: Where & {
      /** show what the rules would keep of the unread turns, what not, and why. */
      reasons?: boolean;
      /** most sessions, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** in the order in which they are read, then those that were given up. */
      sessions: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
    };
  };
  /** Extract facts from a session again, from its start. */
  extractor_replay: {
    input: Where & {
      /** id of the session. */
      session: string;
      /** show what the rules would keep, what not, and why, and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** decisions about the facts that were found. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** id of the fact. */
        id?: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** user, feedback, project or reference. */
        type?: string;
        /** who owns it. */
        scope: string;
        /** text that is no longer current because of it. */
        replaced?: string;
        /** where it was said. */
        session?: string;
      }[];
      /** in a dry run: statements that were decided about before. */
      known?: number;
      /** in a dry run: what is left out, and why. */
      left?: {
        /** what was said. */
        text: string;
        /** why nothing is remembered of it. */
        reason: string;
        /** id of the turn. */
        turn: string;
      }[];
      /** what still waits. */
      rest?: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Extract the facts that wait, now. */
  extractor_drain: {
    input: Where & {};
    output: {
      /** decisions about the facts that were found. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** id of the fact. */
        id?: string;
        /** the decision, for decision, undo and revert; empty in a dry run. */
        decision_id?: string;
        /** user, feedback, project or reference. */
        type?: string;
        /** who owns it. */
        scope: string;
        /** text that is no longer current because of it. */
        replaced?: string;
        /** where it was said. */
        session?: string;
      }[];
      /** in a dry run: statements that were decided about before. */
      known?: number;
      /** in a dry run: what is left out, and why. */
      left?: {
        /** what was said. */
        text: string;
        /** why nothing is remembered of it. */
        reason: string;
        /** id of the turn. */
        turn: string;
      }[];
      /** what still waits. */
      rest?: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Read again the sessions that were given up. */
  extractor_retry: {
    input: Where & {
      /** id of the session (default: all that were given up). */
      session?: string;
    };
    output: {
      /** revived: they wait again; dropped: they wait no longer. */
      change: string;
      /** as they were. */
      sessions: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Leave the rest of a session that was given up unread. */
  extractor_drop: {
    input: Where & {
      /** id of the session. */
      session: string;
      /** show what it would do and change nothing. */
      dry_run?: boolean;
      /** go ahead; without this and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** revived: they wait again; dropped: they wait no longer. */
      change: string;
      /** as they were. */
      sessions: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** what reads it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns are unread. */
        turns: number;
        /** place of the last turn that was read. */
        after: number;
        /** failed attempts since it last got on. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** facts that the rules find in it. */
        facts?: {
          /** the statement. */
          text: string;
          /** user, feedback, project or reference. */
          type: string;
          /** the rule that found it. */
          reason: string;
        }[];
        /** what would be left out, and why. */
        left?: {
          /** what was said. */
          text: string;
          /** why nothing is remembered of it. */
          reason: string;
          /** id of the turn. */
          turn: string;
        }[];
      }[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
}

/** The name of an operation. */
export type Operation = keyof Operations;

export type Input<Name extends Operation> = Operations[Name]["input"];
export type Output<Name extends Operation> = Operations[Name]["output"];

/** Operations that read lines. */
export type LinesIn = "embedder_import" | "import" | "ingest";
/** Operations that write lines. */
export type LinesOut = "ledger" | "export";
