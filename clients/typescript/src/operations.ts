// Made from the operations by: go test ./server -run TypeScript -update

/** What the input of every operation takes. */
export type Where = {
  /** the one scope that is seen and written: global, workspace, agent, agent:global or a canonical key. */
  scope?: string;
  /** reads also see the scopes above that one, as the command line does: of an agent its own everywhere, the workspace and the global one. */
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
      /** to be put into a prompt: what memory holds is fenced as data. */
      text: string;
      /** what the text costs. */
      tokens: number;
      /** what it is made of, in order. */
      parts: {
        /** file, rules, index, facts, skills, learning or summary. */
        kind: string;
        /** scope or title. */
        name?: string;
        /** lines, facts or rules that are in the text. */
        shown: number;
        /** those there are. */
        total: number;
        /** why something of it is left out. */
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
      /** what it speaks of; with attribute a slot for one value. */
      entity?: string;
      /** the property it states. */
      attribute?: string;
      /** id of the fact it updates. */
      target?: string;
      /** generation of the target that was seen; nothing changes if it is no longer that. */
      base_generation?: number;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
      request_id?: string;
      /** session it was said in. */
      session?: string;
      /** ids of the turns it was learnt from. */
      sources?: string[];
      /** how sure the caller is, from 0 to 1. */
      confidence?: number;
      /** since when it holds, as a date, RFC 3339 time or words such as last week. */
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
        /** what it speaks of; with attribute a slot for one value. */
        entity?: string;
        /** the property it states. */
        attribute?: string;
        /** id of the fact it updates. */
        target?: string;
        /** generation of the target that was seen; nothing changes if it is no longer that. */
        base_generation?: number;
        /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
        request_id?: string;
        /** session it was said in. */
        session?: string;
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** how sure the caller is, from 0 to 1. */
        confidence?: number;
        /** since when it holds, as a date, RFC 3339 time or words such as last week. */
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
      /** the same again makes a new version (default: the first line). */
      title?: string;
      /** what it is about (default: inferred). */
      type?: "user" | "feedback" | "project" | "reference";
      /** one line on when it matters, for the index. */
      hook?: string;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
      request_id?: string;
      /** session it was learnt in. */
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
      /** of the file. */
      path?: string;
      /** of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** of the file as it is now; left out where there is none. */
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
      /** token budget for all texts; 0 means none, in a tool 1500 with what stands around them. */
      max_tokens?: number;
      /** next_cursor of the answer before: what comes after it. */
      cursor?: string;
      /** facts of this category only. */
      category?: string;
      /** facts and notes of these types only. */
      types?: ("user" | "feedback" | "project" | "reference")[];
      /** what was known then: a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** ids that were shown already and are left out. */
      seen?: string[];
      /** session that asks. */
      session?: string;
      /** turn of the session that asks; it and later ones are left out. */
      turn?: number;
      /** first turn of the session still in the conversation; it and later ones are left out. */
      shown_from?: number;
      /** nobody asked for it: the hits do not count as interest. */
      automatic?: boolean;
      /** weak hits too. */
      all?: boolean;
      /** also the hits as one text that is safe to put into a prompt. */
      prompt?: boolean;
      /** keep no trace and count no access. */
      no_record?: boolean;
    };
    output: {
      /** what was found, best first. */
      hits: {
        /** of the fact, turn, section or learning. */
        id: string;
        /** fact, turn, section or learning. */
        kind: string;
        /** the memory itself. */
        text: string;
        /** bytes of the whole before this part. */
        offset?: number;
        /** bytes of the whole; left out where the text is the whole. */
        length?: number;
        /** the passage of a long text that matches best, in bytes of the whole. */
        match?: {
          /** bytes before it. */
          start: number;
          /** bytes before what follows. */
          end: number;
        };
        /** from 0 to 1. */
        score: number;
        /** how much of what is asked for it holds, from 0 to 1; comparable between questions. */
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
          /** gained or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
          order?: number;
          /** words of the question that matched. */
          terms?: string[];
        };
        /** who owns it. */
        scope: string;
        /** of a fact or note. */
        type?: string;
        /** of a fact. */
        category?: string;
        /** of a turn. */
        session?: string;
        /** place of a turn in its session or of a section in its file, from 1. */
        seq?: number;
        /** user, assistant, system or tool: who said a turn. */
        role?: string;
        /** name of who said a turn. */
        speaker?: string;
        /** where a section stands. */
        section?: {
          /** of the file, below the directory of its scope. */
          path: string;
          /** first line of the section, from 1. */
          line: number;
          /** last line of the section. */
          end_line: number;
          /** it stands under, the outermost first. */
          headings?: string[];
          /** of the note or skill. */
          name?: string;
        };
        /** file and line of a section, as notes/project_deploys.md:12. */
        where?: string;
        /** when the fact was recorded, the turn was said, the file was written, or it was learnt last. */
        at: string;
        /** warnings, such as that the text reads like an instruction. */
        notes?: string[];
        /** the file came with the repository, and nobody here trusts it. */
        foreign?: boolean;
        /** the later hit that says nearly the same with another value. */
        older_than?: string;
      }[];
      /** the hits as they may stand in a prompt: fenced as data, with their marks; where it was asked for. */
      prompt?: string;
      /** the stored explanation, for trace. */
      trace?: string;
      /** model whose vectors served; left out when words alone did. */
      embedder?: string;
      /** what the texts of the hits cost, when a budget was set. */
      tokens?: number;
      /** offset of the next page of a search; left out at the end. */
      next?: number;
      /** of a recall, there is more: pass it as cursor, with the same input otherwise; left out at the end. */
      next_cursor?: string;
      /** what a reader should know. */
      notes?: string[];
      /** the times the parts took, in order. */
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
      /** facts of this category only, in whatever case it is written. */
      category?: string;
      /** token budget for the texts of a page; 0 means 1500. */
      max_tokens?: number;
      /** next_cursor of the page before. */
      cursor?: string;
    };
    output: {
      /** what was asked for. */
      subject?: string;
      /** the category that was asked for. */
      category?: string;
      /** about the user in the order of a profile, of anything else the newest first. */
      facts: {
        /** of the fact. */
        id: string;
        /** the statement. */
        text: string;
        /** bytes of the whole; left out where the text is the whole. */
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
      /** of all these facts, the largest first; without a subject or category, and where a category has none, those of the whole memory. */
      categories: {
        /** of the category. */
        name: string;
        /** facts in it. */
        facts: number;
        /** who owns it. */
        scope: string;
      }[];
      /** facts on all pages; without a subject or category those of the whole memory. */
      total: number;
      /** there is more: pass it as cursor, with the same input otherwise; left out at the end. */
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
      /** answer with the evidence itself, also where a model is configured. */
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
        /** of the fact, turn or section. */
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
      /** the model that wrote it; left out where the answer is the evidence itself. */
      model?: string;
      /** the stored explanation of the recall, for trace. */
      trace?: string;
      /** what a reader should know. */
      notes?: string[];
    };
  };
  /** Look around in facts, turns and files, in pages. */
  search: {
    input: Where & {
      /** a question, or words. */
      query: string;
      /** hits of a page, 1 to 1000. */
      max_results?: number;
      /** hits to leave out: next of the page before. */
      offset?: number;
      /** what to look through (default: everything). */
      kinds?: ("fact" | "turn" | "section")[];
      /** sections of this file, or of the files below this directory. */
      path?: string;
      /** turns of this session. */
      session?: string;
      /** facts of this category. */
      category?: string;
      /** facts and notes of these types. */
      types?: ("user" | "feedback" | "project" | "reference")[];
      /** what is not older: a date, RFC 3339 time or words such as last week. */
      since?: string;
      /** what is older: a date or words such as last week, which count whole, or RFC 3339 time. */
      until?: string;
      /** token budget for all texts; 0 means none, in a tool 1500. */
      max_tokens?: number;
      /** weak hits too. */
      all?: boolean;
      /** as known then: a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** ids that were shown already and are left out. */
      seen?: string[];
      /** keep no trace. */
      no_record?: boolean;
      /** rank whole sessions: each hit is the best turn of another one. */
      sessions?: boolean;
      /** also files of the system, below _system and _inbox. */
      include_system?: boolean;
    };
    output: {
      /** what was found, best first. */
      hits: {
        /** of the fact, turn, section or learning. */
        id: string;
        /** fact, turn, section or learning. */
        kind: string;
        /** the memory itself. */
        text: string;
        /** bytes of the whole before this part. */
        offset?: number;
        /** bytes of the whole; left out where the text is the whole. */
        length?: number;
        /** the passage of a long text that matches best, in bytes of the whole. */
        match?: {
          /** bytes before it. */
          start: number;
          /** bytes before what follows. */
          end: number;
        };
        /** from 0 to 1. */
        score: number;
        /** how much of what is asked for it holds, from 0 to 1; comparable between questions. */
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
          /** gained or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
          order?: number;
          /** words of the question that matched. */
          terms?: string[];
        };
        /** who owns it. */
        scope: string;
        /** of a fact or note. */
        type?: string;
        /** of a fact. */
        category?: string;
        /** of a turn. */
        session?: string;
        /** place of a turn in its session or of a section in its file, from 1. */
        seq?: number;
        /** user, assistant, system or tool: who said a turn. */
        role?: string;
        /** name of who said a turn. */
        speaker?: string;
        /** where a section stands. */
        section?: {
          /** of the file, below the directory of its scope. */
          path: string;
          /** first line of the section, from 1. */
          line: number;
          /** last line of the section. */
          end_line: number;
          /** it stands under, the outermost first. */
          headings?: string[];
          /** of the note or skill. */
          name?: string;
        };
        /** file and line of a section, as notes/project_deploys.md:12. */
        where?: string;
        /** when the fact was recorded, the turn was said, the file was written, or it was learnt last. */
        at: string;
        /** warnings, such as that the text reads like an instruction. */
        notes?: string[];
        /** the file came with the repository, and nobody here trusts it. */
        foreign?: boolean;
        /** the later hit that says nearly the same with another value. */
        older_than?: string;
      }[];
      /** the hits as they may stand in a prompt: fenced as data, with their marks; where it was asked for. */
      prompt?: string;
      /** the stored explanation, for trace. */
      trace?: string;
      /** model whose vectors served; left out when words alone did. */
      embedder?: string;
      /** what the texts of the hits cost, when a budget was set. */
      tokens?: number;
      /** offset of the next page of a search; left out at the end. */
      next?: number;
      /** of a recall, there is more: pass it as cursor, with the same input otherwise; left out at the end. */
      next_cursor?: string;
      /** what a reader should know. */
      notes?: string[];
      /** the times the parts took, in order. */
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
      /** of one page, 100 to 100000. */
      max_tokens?: number;
      /** go on after a page (next) or cut turn (rest). */
      after?: string;
    };
    output: {
      /** the session that was read. */
      session: string;
      /** who owns it. */
      scope: string;
      /** in the order they were said, or best first for a query. */
      turns: {
        /** of the turn. */
        id: string;
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** a person's name, where there are several. */
        speaker?: string;
        /** name of the tool whose result it is. */
        tool?: string;
        /** what was said, word for word, without secrets; a line for each tool call and image stands below it. */
        text: string;
        /** when it was said. */
        at: string;
        /** bytes of the turn before this part. */
        offset?: number;
        /** bytes of the whole turn; left out where the text is the whole. */
        length?: number;
        /** the turn goes on: pass it as after, without query, to read on there. */
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
      /** there is more: pass it as after, with the same input otherwise; left out at the end. */
      next?: string;
      /** parts that match the query, on all pages. */
      matches?: number;
      /** what the page costs of the budget. */
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
        /** a person's name where there are several; of a tool turn, the tool. */
        name?: string;
        /** the caller's own id of the message: the same id is kept once. */
        id?: string;
        /** tools the assistant called, as in OpenAI's protocol. */
        tool_calls?: {
          /** of the call. */
          id?: string;
          /** of the tool. */
          name?: string;
          /** a JSON object, or one as text. */
          arguments?: Record<string, unknown>;
          /** function, which is all there is. */
          type?: string;
          /** name and arguments, as OpenAI's protocol has them. */
          function?: {
            /** of the tool. */
            name?: string;
            /** a JSON object, or one as text. */
            arguments?: Record<string, unknown>;
          };
        }[];
        /** the call that a tool answers. */
        tool_call_id?: string;
      }[];
      /** id of the session (default: the caller's own). */
      session?: string;
    };
    output: {
      /** the session they are of. */
      session: string;
      /** who owns it. */
      scope: string;
      /** turns that were new. */
      added: number;
      /** turns that were there already. */
      known: number;
      /** what was not kept as a turn, and why. */
      left?: {
        /** why. */
        reason: string;
        /** how much. */
        count: number;
      }[];
      /** what was kept of them as facts or was not, and why. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** of the fact. */
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
      /** generation of the fact that was seen; nothing changes if it is no longer that. */
      base_generation?: number;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
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
      /** these facts only. */
      ids?: string[];
      /** facts of this type only. */
      type?: "user" | "feedback" | "project" | "reference";
      /** facts of this category only. */
      category?: string;
      /** also versions that are no longer current. */
      retired?: boolean;
      /** as recorded at that time, as a date, RFC 3339 time or words such as last week. */
      as_of?: string;
      /** id after which to go on, for paging. */
      after?: string;
      /** most facts, 1 to 10000. */
      limit?: number;
      /** move them to this scope: global, workspace, agent, agent:global or a key. */
      move?: string;
      /** of a move: the caller's own reason, kept with the decisions. */
      note?: string;
      /** of a move: say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** newest first, scope by scope; of a move, as they were. */
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
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** since when it holds, where it says so. */
        valid_from?: string;
        /** until when it holds, where it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact whose place it took. */
        supersedes?: string;
        /** fact that took its place. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to somebody who asked. */
        accesses: number;
        /** when that was last. */
        last_access?: string;
      }[];
      /** of a move: one for each fact, in the same order. */
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
      /** of the fact. */
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
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** since when it holds, where it says so. */
        valid_from?: string;
        /** until when it holds, where it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact whose place it took. */
        supersedes?: string;
        /** fact that took its place. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to somebody who asked. */
        accesses: number;
        /** when that was last. */
        last_access?: string;
      }[];
      /** how much it was of use lately, from 0 to 1. */
      salience: number;
      /** those that its versions were learnt from, as far as they are in sight. */
      turns: {
        /** of the turn. */
        id: string;
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** a person's name, where there are several. */
        speaker?: string;
        /** what was said, without secrets. */
        text: string;
        /** media types of the images that came with it. */
        images?: string[];
        /** tools the assistant called. */
        calls?: {
          /** of the call. */
          id: string;
          /** of the tool. */
          name: string;
          /** as the model wrote them, without secrets. */
          arguments?: string;
        }[];
        /** the call that a tool answers. */
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
        /** the text was blanked because a fact it was the source of was forgotten, or its session pruned or archived. */
        forgotten?: boolean;
      }[];
    };
  };
  /** Show what memory believes about the user. */
  profile: {
    input: Where & {
      /** only what is about this one: a relation (sister), a name, or a group (work). */
      subject?: string;
      /** also what was believed before, with its dates. */
      all?: boolean;
    };
    output: {
      /** of the user, where it is known. */
      name?: string;
      /** by what the facts are about: you, people, pets, home, work, health, tastes, things, plans, more. */
      groups: {
        /** you, person, pet, home, work, health, tastes, things, plans or more. */
        kind: string;
        /** of a person or pet: who it is to the user. */
        subject?: string;
        /** of a person or pet, where it is known. */
        name?: string;
        /** those that fill a slot first, the speaker's own words last. */
        entries: {
          /** of the fact. */
          id: string;
          /** what it speaks of, when it fills a slot. */
          entity?: string;
          /** which property it states, when it fills a slot. */
          attribute?: string;
          /** of the property, where the text gives it alone. */
          value?: string;
          /** the statement. */
          text: string;
          /** who owns it. */
          scope: string;
          /** since when it holds: as it says itself, else when it was first said; may be missing. */
          since?: string;
          /** until when it holds, where it says so, or since when it is no longer believed. */
          until?: string;
          /** when it was committed. */
          recorded_at: string;
          /** turns it was learnt from. */
          sources: {
            /** of the turn. */
            id: string;
            /** the conversation; missing where the turn is out of sight. */
            session?: string;
            /** number of the turn in it, from 1. */
            seq?: number;
            /** when it was said. */
            at?: string;
          }[];
          /** of whoever proposed it, from 0 to 1. */
          confidence: number;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** it is no longer believed, and nothing took its place. */
          ended?: boolean;
          /** with all: what it replaced, the latest first. */
          earlier?: {
            /** of the fact. */
            id: string;
            /** of the property, where the text gives it alone. */
            value?: string;
            /** the statement. */
            text: string;
            /** since when it held. */
            since?: string;
            /** until when: as it says itself, else when what replaced it was said. */
            until?: string;
            /** when it was committed. */
            recorded_at: string;
            /** turns it was learnt from. */
            sources: {
              /** of the turn. */
              id: string;
              /** the conversation; missing where the turn is out of sight. */
              session?: string;
              /** number of the turn in it, from 1. */
              seq?: number;
              /** when it was said. */
              at?: string;
            }[];
            /** of whoever proposed it, from 0 to 1. */
            confidence: number;
          }[];
        }[];
      }[];
      /** standing rules: how the user wants agents to work, the newest first. */
      rules: {
        /** of the fact. */
        id: string;
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** of the property, where the text gives it alone. */
        value?: string;
        /** the statement. */
        text: string;
        /** who owns it. */
        scope: string;
        /** since when it holds: as it says itself, else when it was first said; may be missing. */
        since?: string;
        /** until when it holds, where it says so, or since when it is no longer believed. */
        until?: string;
        /** when it was committed. */
        recorded_at: string;
        /** turns it was learnt from. */
        sources: {
          /** of the turn. */
          id: string;
          /** the conversation; missing where the turn is out of sight. */
          session?: string;
          /** number of the turn in it, from 1. */
          seq?: number;
          /** when it was said. */
          at?: string;
        }[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** it is no longer believed, and nothing took its place. */
        ended?: boolean;
        /** with all: what it replaced, the latest first. */
        earlier?: {
          /** of the fact. */
          id: string;
          /** of the property, where the text gives it alone. */
          value?: string;
          /** the statement. */
          text: string;
          /** since when it held. */
          since?: string;
          /** until when: as it says itself, else when what replaced it was said. */
          until?: string;
          /** when it was committed. */
          recorded_at: string;
          /** turns it was learnt from. */
          sources: {
            /** of the turn. */
            id: string;
            /** the conversation; missing where the turn is out of sight. */
            session?: string;
            /** number of the turn in it, from 1. */
            seq?: number;
            /** when it was said. */
            at?: string;
          }[];
          /** of whoever proposed it, from 0 to 1. */
          confidence: number;
        }[];
      }[];
      /** that are believed now, without the rules. */
      facts: number;
    };
  };
  /** List categories. */
  categories_list: {
    input: Where & {};
    output: {
      /** those that hold a current fact, scope by scope, the largest first. */
      categories: {
        /** of the category. */
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
      /** what it is to be called. */
      new: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** of the category. */
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
      /** name of the one that takes its facts. */
      into: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** of the category. */
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
      /** of the category. */
      name: string;
      /** who owns it. */
      scope: string;
      /** current facts in it. */
      facts: number;
      /** the program does not divide, merge or rename it. */
      pinned: boolean;
    };
  };
  /** Leave a category to the program again. */
  categories_unpin: {
    input: Where & {
      /** name of the category. */
      name: string;
    };
    output: {
      /** renamed, merged, pinned or unpinned. */
      change: string;
      /** of the category. */
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
      /** notes of this type only. */
      type?: "user" | "feedback" | "project" | "reference";
      /** documents of this kind. */
      kind?: "note" | "skill" | "index" | "daily" | "profile" | "system" | "other" | "any";
      /** also notes that a note of the same type and title in a deeper scope hides. */
      include_shadowed?: boolean;
      /** also what waits in _inbox and lies in _system. */
      include_system?: boolean;
      /** path after which to go on, for paging. */
      after?: string;
      /** most documents, 1 to 100000. */
      limit?: number;
    };
    output: {
      /** by path, and of one path the deeper scope first. */
      documents: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; of several scopes the first that has it answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** of a note: user, feedback, project or reference. */
        type?: string;
        /** of a note; with the type it names the note. */
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
        /** of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory took notice. */
        recorded_at: string;
        /** rules that found secrets in the file, which are not kept. */
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
      /** title, slug, type/slug, path, id or memory:// address; a note that waits in _inbox/ has such names too. */
      name: string;
    };
    output: {
      /** stays the same as long as the path does. */
      id: string;
      /** below the directory of its scope, with slashes. */
      path: string;
      /** address of the path, for note show; of several scopes the first that has it answers. */
      url?: string;
      /** note, skill, index, daily, profile, system or other. */
      kind: string;
      /** of a note: user, feedback, project or reference. */
      type?: string;
      /** of a note; with the type it names the note. */
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
      /** of the file, in bytes. */
      size: number;
      /** version, from 1. */
      generation: number;
      /** when the file was last written. */
      modified_at: string;
      /** when memory took notice. */
      recorded_at: string;
      /** rules that found secrets in the file, which are not kept. */
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
      /** path of the file, or any name of one that is there. */
      name: string;
      /** whole text of the file, front matter included. */
      content: string;
      /** hash of the version that was seen, or none; nothing changes if it is no longer that. */
      base?: string;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
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
      /** of the file. */
      path?: string;
      /** of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** of the file as it is now; left out where there is none. */
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
      /** title, slug, type/slug, path, id or memory:// address; a note that waits in _inbox/ has such names too. */
      name: string;
      /** hash of the version that was seen; nothing changes if it is no longer that. */
      base?: string;
      /** also where the file holds a secret, which is kept nowhere else: that cannot be undone. */
      lose_secret?: boolean;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
      request_id?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
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
      /** of the file. */
      path?: string;
      /** of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** of the file as it is now; left out where there is none. */
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
      /** title, slug, type/slug, path, id or memory:// address; a note that waits in _inbox/ has such names too. */
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
        /** of the file. */
        path?: string;
        /** of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** of the file as it is now; left out where there is none. */
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
      /** its text with what was proposed; left out where a note is only moved. */
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
      /** the same again makes a new version (default: the first line). */
      title?: string;
      /** what it is about (default: inferred). */
      type?: "user" | "feedback" | "project" | "reference";
      /** one line on when it matters, for the index. */
      hook?: string;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
      request_id?: string;
      /** session it was learnt in. */
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
      /** of the file. */
      path?: string;
      /** of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** of the file as it is now; left out where there is none. */
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
  /** Accept a proposed note, or a change of one. */
  note_accept: {
    input: Where & {
      /** title, slug, type/slug, path or id of the proposal. */
      name: string;
      /** scope to accept it into (default: its own). */
      to?: string;
      /** which stays, where the note and the proposal changed the same since it was made. */
      take?: "note" | "proposal";
      /** the caller's own reason, kept with the decisions. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
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
        /** of the file. */
        path?: string;
        /** of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** of the file as it is now; left out where there is none. */
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
      /** its text with what was proposed; left out where a note is only moved. */
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
      /** go ahead; without it, and without dry_run, nothing is done. */
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
      /** of the file. */
      path?: string;
      /** of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** of the file as it is now; left out where there is none. */
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
      /** goes into the name of the file (default: made of the first line). */
      slug?: string;
      /** words to find it by. */
      tags?: string[];
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
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
      /** of the file. */
      path?: string;
      /** of a note. */
      type?: string;
      /** title of a note. */
      name?: string;
      /** of the file as it is now; left out where there is none. */
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
      /** of the file or directory, such as /memories/todo.md; of all but rename. */
      path?: string;
      /** of view: first and last line, from 1; -1 is the end. */
      view_range?: number[];
      /** of create: text of the new file. */
      file_text?: string;
      /** of str_replace: the text to replace, which must be there once. */
      old_str?: string;
      /** of str_replace: what takes its place (default: nothing). */
      new_str?: string;
      /** of insert: the line behind which the text goes; 0 is the beginning. */
      insert_line?: number;
      /** of insert: the text. */
      insert_text?: string;
      /** of rename: the file or directory. */
      old_path?: string;
      /** of rename: where it goes. */
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
      /** of this status only (default: all). */
      status?: "proposed" | "active" | "archived";
    };
    output: {
      /** by name, and of one name the deeper scope first. */
      skills: {
        /** by which it is called: that of its directory. */
        name: string;
        /** proposed (waits for a person), active (offered to agents) or archived. */
        status: string;
        /** when it is of use, in one line. */
        description?: string;
        /** who owns it. */
        scope: string;
        /** of its file, below the directory of its scope. */
        path: string;
        /** address by which an agent opens it. */
        url: string;
        /** in how many sessions; left out for one that a person wrote. */
        learnt?: number;
        /** scope whose skill of the same name is opened instead. */
        shadowed_by?: string;
        /** when it was opened last by its address; left out for never. */
        opened_at?: string;
        /** when the file was last written. */
        modified_at: string;
        /** what is wrong with the file. */
        problem?: string;
        /** it came with a repository and is not trusted, so that it is not offered. */
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
      /** by which it is called: that of its directory. */
      name: string;
      /** proposed (waits for a person), active (offered to agents) or archived. */
      status: string;
      /** when it is of use, in one line. */
      description?: string;
      /** who owns it. */
      scope: string;
      /** of its file, below the directory of its scope. */
      path: string;
      /** address by which an agent opens it. */
      url: string;
      /** in how many sessions; left out for one that a person wrote. */
      learnt?: number;
      /** scope whose skill of the same name is opened instead. */
      shadowed_by?: string;
      /** when it was opened last by its address; left out for never. */
      opened_at?: string;
      /** when the file was last written. */
      modified_at: string;
      /** what is wrong with the file. */
      problem?: string;
      /** it came with a repository and is not trusted, so that it is not offered. */
      foreign?: boolean;
      /** in which it was learnt. */
      sessions?: string[];
      /** text of the file with secrets redacted. */
      content: string;
    };
  };
  /** Make a skill active, or a skill of a note. */
  skill_promote: {
    input: Where & {
      /** name, path, id or memory:// address of the skill; with from, what it is called. */
      name: string;
      /** note to make the skill of, by any of its names; the note goes. */
      from?: string;
      /** the caller's own reason, kept with the decisions. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the skill, then the note that it was made of. */
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
        /** of the file. */
        path?: string;
        /** of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** of the file as it is now; left out where there is none. */
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
      /** the skill, then the note that it was made of. */
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
        /** of the file. */
        path?: string;
        /** of a note. */
        type?: string;
        /** title of a note. */
        name?: string;
        /** of the file as it is now; left out where there is none. */
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
      /** what it is called. */
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
        /** what it is called. */
        subject?: string;
        /** files that changed. */
        files: number;
        /** why nothing was recorded. */
        reason?: string;
      }[];
      /** files that were kept out. */
      left_out?: {
        /** of the file. */
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
      /** also what changed between them. */
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
        /** what it is called. */
        subject: string;
        /** more on it. */
        body?: string;
        /** who made it. */
        author: string;
        /** when it was made. */
        timestamp: string;
        /** files that changed, where it is known. */
        files?: number;
      }[];
      /** unified diff from the oldest commit shown to the newest. */
      diff?: string;
      /** what is wrong with the history. */
      note?: string;
    };
  };
  /** List the logs of days. */
  daily_list: {
    input: Where & {};
    output: {
      /** newest first, scope by scope. */
      logs: {
        /** YYYY-MM-DD, where the user was. */
        day: string;
        /** counts the files of a day that grew too large for one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** of the file. */
        path: string;
        /** it lies in the archive. */
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
      /** of that day, scope by scope, with their text. */
      logs: {
        /** YYYY-MM-DD, where the user was. */
        day: string;
        /** counts the files of a day that grew too large for one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** of the file. */
        path: string;
        /** it lies in the archive. */
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
      /** logs of days that ended so many days ago or earlier; not heeded where a day is named. */
      older_than_days?: number;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** archived, purged or restored. */
      change: string;
      /** those it is about, as they were before. */
      logs: {
        /** YYYY-MM-DD, where the user was. */
        day: string;
        /** counts the files of a day that grew too large for one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** of the file. */
        path: string;
        /** it lies in the archive. */
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
        /** of the file; left out for the directory of the scope. */
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
      /** logs of days that ended so many days ago or earlier; not heeded where a day is named. */
      older_than_days?: number;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** archived, purged or restored. */
      change: string;
      /** those it is about, as they were before. */
      logs: {
        /** YYYY-MM-DD, where the user was. */
        day: string;
        /** counts the files of a day that grew too large for one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** of the file. */
        path: string;
        /** it lies in the archive. */
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
        /** of the file; left out for the directory of the scope. */
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
      /** those it is about, as they were before. */
      logs: {
        /** YYYY-MM-DD, where the user was. */
        day: string;
        /** counts the files of a day that grew too large for one. */
        seq?: number;
        /** who owns it. */
        scope: string;
        /** of the file. */
        path: string;
        /** it lies in the archive. */
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
        /** of the file; left out for the directory of the scope. */
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
      /** in the order of the scopes and of the files. */
      rules: {
        /** what is to be done. */
        text: string;
        /** how often, as it is written. */
        every?: string;
        /** at what time, as it is written. */
        at?: string;
        /** whose rule it is. */
        scope: string;
        /** of the file. */
        path: string;
        /** in the file, from 1. */
        line: number;
      }[];
    };
  };
  /** List what became of every request to change memory. */
  decisions: {
    input: Where & {
      /** of this kind only. */
      decision?: "add" | "update" | "supersede" | "delete" | "noop" | "reject" | "forget";
      /** proposed by this alone: extractor is what was read out of conversations. */
      origin?: "cli" | "api" | "tool" | "extractor" | "dream" | "file" | "import";
      /** about this fact only. */
      fact_id?: string;
      /** about this file only. */
      path?: string;
      /** decided at that time or later, as a date, RFC 3339 time or words such as yesterday. */
      since?: string;
      /** only those whose files are outstanding. */
      pending?: boolean;
      /** id after which to go on, for paging. */
      after?: string;
      /** most decisions, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, over all scopes. */
      decisions: {
        /** of the decision. */
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
          /** what it speaks of, when it fills a slot. */
          entity?: string;
          /** which property it states, when it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learnt from. */
          sources?: string[];
          /** of whoever proposed it, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** since when it holds, where it says so. */
          valid_from?: string;
          /** until when it holds, where it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact whose place it took. */
          supersedes?: string;
          /** fact that took its place. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to somebody who asked. */
          accesses: number;
          /** when that was last. */
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
          /** what it speaks of, when it fills a slot. */
          entity?: string;
          /** which property it states, when it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learnt from. */
          sources?: string[];
          /** of whoever proposed it, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** since when it holds, where it says so. */
          valid_from?: string;
          /** until when it holds, where it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact whose place it took. */
          supersedes?: string;
          /** fact that took its place. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to somebody who asked. */
          accesses: number;
          /** when that was last. */
          last_access?: string;
        };
        /** the version of the file that stopped being current; its text is left out in lists. */
        file_before?: {
          /** stays the same as long as the path does. */
          id: string;
          /** below the directory of its scope, with slashes. */
          path: string;
          /** address of the path, for note show; of several scopes the first that has it answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** of a note: user, feedback, project or reference. */
          type?: string;
          /** of a note; with the type it names the note. */
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
          /** of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory took notice. */
          recorded_at: string;
          /** rules that found secrets in the file, which are not kept. */
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
          /** address of the path, for note show; of several scopes the first that has it answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** of a note: user, feedback, project or reference. */
          type?: string;
          /** of a note; with the type it names the note. */
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
          /** of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory took notice. */
          recorded_at: string;
          /** rules that found secrets in the file, which are not kept. */
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
        /** agent at hand. */
        agent?: string;
        /** session it was proposed in. */
        session?: string;
        /** of the call. */
        request_id?: string;
        /** what a reader should know. */
        notes?: string[];
        /** decision this one undid. */
        reverts?: string;
        /** decision that undid this one. */
        reverted_by?: string;
        /** when it was committed. */
        decided_at: string;
        /** when files had followed; left out while they are outstanding. */
        applied_at?: string;
        /** why its files were given up. */
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
      /** of the decision. */
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
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** since when it holds, where it says so. */
        valid_from?: string;
        /** until when it holds, where it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact whose place it took. */
        supersedes?: string;
        /** fact that took its place. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to somebody who asked. */
        accesses: number;
        /** when that was last. */
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
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** since when it holds, where it says so. */
        valid_from?: string;
        /** until when it holds, where it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact whose place it took. */
        supersedes?: string;
        /** fact that took its place. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to somebody who asked. */
        accesses: number;
        /** when that was last. */
        last_access?: string;
      };
      /** the version of the file that stopped being current; its text is left out in lists. */
      file_before?: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; of several scopes the first that has it answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** of a note: user, feedback, project or reference. */
        type?: string;
        /** of a note; with the type it names the note. */
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
        /** of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory took notice. */
        recorded_at: string;
        /** rules that found secrets in the file, which are not kept. */
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
        /** address of the path, for note show; of several scopes the first that has it answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** of a note: user, feedback, project or reference. */
        type?: string;
        /** of a note; with the type it names the note. */
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
        /** of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory took notice. */
        recorded_at: string;
        /** rules that found secrets in the file, which are not kept. */
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
      /** agent at hand. */
      agent?: string;
      /** session it was proposed in. */
      session?: string;
      /** of the call. */
      request_id?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decision this one undid. */
      reverts?: string;
      /** decision that undid this one. */
      reverted_by?: string;
      /** when it was committed. */
      decided_at: string;
      /** when files had followed; left out while they are outstanding. */
      applied_at?: string;
      /** why its files were given up. */
      set_aside?: string;
      /** made by an earlier call with the same request id; this call did nothing. */
      replayed?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Undo what was decided last. */
  undo: {
    input: Where & {
      /** how many of the newest decisions, 1 to 100, or the id of one (default: 1); of a tool, of those of its own session. */
      what?: string;
      /** the caller's own reason, kept with the new decisions. */
      note?: string;
      /** say what would be done and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** in the order they were undone, newest first; texts of files are left out. */
      decisions: {
        /** of the decision. */
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
          /** what it speaks of, when it fills a slot. */
          entity?: string;
          /** which property it states, when it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learnt from. */
          sources?: string[];
          /** of whoever proposed it, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** since when it holds, where it says so. */
          valid_from?: string;
          /** until when it holds, where it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact whose place it took. */
          supersedes?: string;
          /** fact that took its place. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to somebody who asked. */
          accesses: number;
          /** when that was last. */
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
          /** what it speaks of, when it fills a slot. */
          entity?: string;
          /** which property it states, when it fills a slot. */
          attribute?: string;
          /** concepts found in the text. */
          tags?: string[];
          /** ids of the turns it was learnt from. */
          sources?: string[];
          /** of whoever proposed it, from 0 to 1. */
          confidence: number;
          /** who proposed it. */
          origin: string;
          /** since when it holds, where it says so. */
          valid_from?: string;
          /** until when it holds, where it says so. */
          valid_to?: string;
          /** kept in the speaker's own words, because no rule could read them. */
          verbatim?: boolean;
          /** when this version was committed. */
          recorded_at: string;
          /** when this version stopped being current. */
          retired_at?: string;
          /** fact whose place it took. */
          supersedes?: string;
          /** fact that took its place. */
          superseded_by?: string;
          /** once, or confirmed: said again in another session, or agreed to. */
          standing: string;
          /** times it was returned to somebody who asked. */
          accesses: number;
          /** when that was last. */
          last_access?: string;
        };
        /** the version of the file that stopped being current; its text is left out in lists. */
        file_before?: {
          /** stays the same as long as the path does. */
          id: string;
          /** below the directory of its scope, with slashes. */
          path: string;
          /** address of the path, for note show; of several scopes the first that has it answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** of a note: user, feedback, project or reference. */
          type?: string;
          /** of a note; with the type it names the note. */
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
          /** of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory took notice. */
          recorded_at: string;
          /** rules that found secrets in the file, which are not kept. */
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
          /** address of the path, for note show; of several scopes the first that has it answers. */
          url?: string;
          /** note, skill, index, daily, profile, system or other. */
          kind: string;
          /** of a note: user, feedback, project or reference. */
          type?: string;
          /** of a note; with the type it names the note. */
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
          /** of the file, in bytes. */
          size: number;
          /** version, from 1. */
          generation: number;
          /** when the file was last written. */
          modified_at: string;
          /** when memory took notice. */
          recorded_at: string;
          /** rules that found secrets in the file, which are not kept. */
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
        /** agent at hand. */
        agent?: string;
        /** session it was proposed in. */
        session?: string;
        /** of the call. */
        request_id?: string;
        /** what a reader should know. */
        notes?: string[];
        /** decision this one undid. */
        reverts?: string;
        /** decision that undid this one. */
        reverted_by?: string;
        /** when it was committed. */
        decided_at: string;
        /** when files had followed; left out while they are outstanding. */
        applied_at?: string;
        /** why its files were given up. */
        set_aside?: string;
        /** made by an earlier call with the same request id; this call did nothing. */
        replayed?: boolean;
        /** nothing was changed. */
        dry_run?: boolean;
        /** what the decision that is undone did. */
        undid: string;
        /** in a dry run: what follows from it shows when a newer one is undone. */
        waits?: boolean;
      }[];
      /** newer decisions that were passed over, because their text was forgotten. */
      forgotten?: string[];
      /** why no more were undone, where there was an error. */
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
      /** go ahead; without it, and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** of the decision. */
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
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** since when it holds, where it says so. */
        valid_from?: string;
        /** until when it holds, where it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact whose place it took. */
        supersedes?: string;
        /** fact that took its place. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to somebody who asked. */
        accesses: number;
        /** when that was last. */
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
        /** what it speaks of, when it fills a slot. */
        entity?: string;
        /** which property it states, when it fills a slot. */
        attribute?: string;
        /** concepts found in the text. */
        tags?: string[];
        /** ids of the turns it was learnt from. */
        sources?: string[];
        /** of whoever proposed it, from 0 to 1. */
        confidence: number;
        /** who proposed it. */
        origin: string;
        /** since when it holds, where it says so. */
        valid_from?: string;
        /** until when it holds, where it says so. */
        valid_to?: string;
        /** kept in the speaker's own words, because no rule could read them. */
        verbatim?: boolean;
        /** when this version was committed. */
        recorded_at: string;
        /** when this version stopped being current. */
        retired_at?: string;
        /** fact whose place it took. */
        supersedes?: string;
        /** fact that took its place. */
        superseded_by?: string;
        /** once, or confirmed: said again in another session, or agreed to. */
        standing: string;
        /** times it was returned to somebody who asked. */
        accesses: number;
        /** when that was last. */
        last_access?: string;
      };
      /** the version of the file that stopped being current; its text is left out in lists. */
      file_before?: {
        /** stays the same as long as the path does. */
        id: string;
        /** below the directory of its scope, with slashes. */
        path: string;
        /** address of the path, for note show; of several scopes the first that has it answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** of a note: user, feedback, project or reference. */
        type?: string;
        /** of a note; with the type it names the note. */
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
        /** of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory took notice. */
        recorded_at: string;
        /** rules that found secrets in the file, which are not kept. */
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
        /** address of the path, for note show; of several scopes the first that has it answers. */
        url?: string;
        /** note, skill, index, daily, profile, system or other. */
        kind: string;
        /** of a note: user, feedback, project or reference. */
        type?: string;
        /** of a note; with the type it names the note. */
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
        /** of the file, in bytes. */
        size: number;
        /** version, from 1. */
        generation: number;
        /** when the file was last written. */
        modified_at: string;
        /** when memory took notice. */
        recorded_at: string;
        /** rules that found secrets in the file, which are not kept. */
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
      /** agent at hand. */
      agent?: string;
      /** session it was proposed in. */
      session?: string;
      /** of the call. */
      request_id?: string;
      /** what a reader should know. */
      notes?: string[];
      /** decision this one undid. */
      reverts?: string;
      /** decision that undid this one. */
      reverted_by?: string;
      /** when it was committed. */
      decided_at: string;
      /** when files had followed; left out while they are outstanding. */
      applied_at?: string;
      /** why its files were given up. */
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
      /** generation of the fact that was seen; nothing changes if it is no longer that. */
      base_generation?: number;
      /** makes the call repeatable: the same id returns the same decision, and is a conflict for another request. */
      request_id?: string;
      /** the caller's own reason, kept with the decision. */
      note?: string;
      /** say what would be decided and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
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
      /** in place of an id, what it is about: says what there is on it, and forgets nothing but what confirm names. */
      about?: string;
      /** with about, the ids to forget. */
      confirm?: string[];
      /** the caller's own reason, kept with the decision; it must not repeat the text. */
      note?: string;
      /** also rewrite the history of memory's files, so that no commit holds the text; later too, with the id, path or title that was forgotten. */
      purge_history?: boolean;
      /** say what would go and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** what was forgotten; several are parted by commas. */
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
      /** snapshots of sessions of which lines were blanked. */
      snapshots?: number;
      /** saved states of sessions that were removed. */
      states?: number;
      /** learnings and runs of tools that were blanked. */
      learnings?: number;
      /** files that held the text and were written without it. */
      documents?: string[];
      /** commits of the history that were rewritten. */
      commits?: number;
      /** closed sessions whose transcript was rewritten. */
      transcripts?: string[];
      /** facts, turns, learnings, transcripts, files and commits that still hold the text, and what could not be changed. */
      remaining?: string[];
      /** for each of remaining the command that takes it too; empty where there is none. */
      commands?: string[];
      /** what there is on the subject. */
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
        /** of the session. */
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
      /** sessions that were closed so long ago, as 180d or 36h. */
      older_than?: string;
      /** the oldest sessions, until the turns of the closed ones take up no more than this. */
      max_bytes?: number;
      /** the oldest archived sessions, until the files of the others take up no more than this. */
      max_archive_bytes?: number;
      /** say what would go and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** those whose turns are gone, the oldest first. */
      sessions: {
        /** of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** how many it has. */
        turns: number;
        /** that its turns took up. */
        bytes: number;
        /** when it was closed. */
        closed_at: string;
      }[];
      /** those that should go and were left as they are. */
      skipped?: {
        /** of the session. */
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
      /** what they said is in compressed files now. */
      archived?: boolean;
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Put what was said in old conversations into compressed files. */
  sessions_archive: {
    input: Where & {
      /** sessions that were closed so long ago, as 180d or 36h. */
      older_than?: string;
      /** the oldest sessions, until the turns of the closed ones take up no more than this. */
      max_bytes?: number;
      /** the oldest archived sessions, until the files of the others take up no more than this. */
      max_archive_bytes?: number;
      /** say what would go and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** those whose turns are gone, the oldest first. */
      sessions: {
        /** of the session. */
        id: string;
        /** who owns it. */
        scope: string;
        /** how many it has. */
        turns: number;
        /** that its turns took up. */
        bytes: number;
        /** when it was closed. */
        closed_at: string;
      }[];
      /** those that should go and were left as they are. */
      skipped?: {
        /** of the session. */
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
      /** what they said is in compressed files now. */
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
      /** of the session. */
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
      /** turns that have their text again. */
      restored: number;
    };
  };
  /** Close conversations that were left open, and mend what they count. */
  sessions_repair: {
    input: Where & {
      /** close open sessions of which nothing was heard for so long, as 36h or 7d. */
      idle?: string;
      /** say what is wrong and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** those that were not as they should be. */
      sessions: {
        /** of the session. */
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
      /** place after which to go on. */
      after?: number;
      /** most turns; 0 means all. */
      limit?: number;
    };
    output: {
      /** in the order they were said. */
      turns: {
        /** of the turn. */
        id: string;
        /** place in the session, from 1. */
        seq: number;
        /** user, assistant, system or tool. */
        role: string;
        /** a person's name, where there are several. */
        speaker?: string;
        /** what was said, without secrets. */
        text: string;
        /** media types of the images that came with it. */
        images?: string[];
        /** tools the assistant called. */
        calls?: {
          /** of the call. */
          id: string;
          /** of the tool. */
          name: string;
          /** as the model wrote them, without secrets. */
          arguments?: string;
        }[];
        /** the call that a tool answers. */
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
        /** the text was blanked because a fact it was the source of was forgotten, or its session pruned or archived. */
        forgotten?: boolean;
      }[];
    };
  };
  /** Show a conversation by the tokens of its turns. */
  timeline: {
    input: Where & {
      /** id of the session. */
      session: string;
    };
    output: {
      /** of the session. */
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
      /** of all turns together. */
      tokens: number;
      /** last turn whose facts were saved before the window had to make room. */
      flushed?: number;
      /** turns that the window shows a text in place of, in order; expand opens them. */
      spans: {
        /** place of the first turn. */
        from: number;
        /** place of the last turn. */
        to: number;
        /** summary (compacted) or pruned (left out). */
        kind: string;
        /** of these turns. */
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
        /** of its text and its calls of tools. */
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
      /** it is the transcript that was written at the close; otherwise it was made of the turns. */
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
      /** as it stands in the session's prompt, but for what was forgotten since. */
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
      /** of the session. */
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
      /** it had been closed before. */
      already?: boolean;
      /** what did not go as it should. */
      notes?: string[];
    };
  };
  /** List what was asked lately. */
  traces: {
    input: Where & {
      /** of this session only. */
      session?: string;
      /** of this turn of the session only. */
      turn?: number;
      /** most traces of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** newest first, scope by scope. */
      traces: {
        /** of the trace. */
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
          /** of the fact or turn. */
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
            /** gained or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
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
      /** of the trace. */
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
        /** of the fact or turn. */
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
          /** gained or lost to another value of nearly the same statement, or gained from a turn that it replaces. */
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
      /** of this kind only. */
      kind?: "error" | "correction";
      /** most learnings of each scope, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** those learnt last first, scope by scope. */
      learnings: {
        /** of the learning. */
        id: string;
        /** who owns it. */
        scope: string;
        /** error (a tool failed) or correction (the user set the agent right). */
        kind: string;
        /** the tool that failed. */
        tool?: string;
        /** what the tool or the user said. */
        text: string;
        /** what the tool was called for, or what was corrected. */
        context?: string;
        /** where it was learnt last. */
        session?: string;
        /** how often it was learnt. */
        count: number;
        /** when it was learnt first. */
        first_at: string;
        /** when it was learnt last. */
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
      /** of the learning. */
      id: string;
      /** who owns it. */
      scope: string;
      /** error (a tool failed) or correction (the user set the agent right). */
      kind: string;
      /** the tool that failed. */
      tool?: string;
      /** what the tool or the user said. */
      text: string;
      /** what the tool was called for, or what was corrected. */
      context?: string;
      /** where it was learnt last. */
      session?: string;
      /** how often it was learnt. */
      count: number;
      /** when it was learnt first. */
      first_at: string;
      /** when it was learnt last. */
      last_at: string;
      /** what was changed before it was kept. */
      notes?: string[];
    };
  };
  /** List what happened to memory, in order. */
  events: {
    input: Where & {
      /** only of these kinds, as write.rejected, or families of kinds, as recall. */
      kind?: string[];
      /** from this date, RFC 3339 time or words such as yesterday on, or after the change of this number; then the oldest come first to the limit. */
      since?: string;
      /** most events, 1 to 10000. */
      limit?: number;
    };
    output: {
      /** in the order in which they happened. */
      events: {
        /** its place in the order of all changes of the home. */
        change: number;
        /** what happened, as write.committed. */
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
      /** pass it as since to go on after what was there. */
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
      /** one for each scope at hand that owns anything. */
      dreams: {
        /** who was to dream. */
        scope: string;
        /** what was done; left out if a gate was closed. */
        dream?: {
          /** of the dream. */
          id: string;
          /** who dreamt. */
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
          /** facts that gave way in MEMORY.md. */
          archived: number;
          /** facts that went into others that say as much. */
          merged: number;
          /** facts that gave way to one that you said later and that contradicts them. */
          settled: number;
          /** questions put to you: see questions_list. */
          asked: number;
          /** facts that got other concept tags. */
          tagged: number;
          /** why it did nothing; dream_retry has it done. */
          failure?: string;
          /** whether MEMORY.md and DREAMS.md say so yet. */
          followed: boolean;
          /** what became of memories: those that rose or gave way, were merged, settled or asked about, and the 50 that were closest to rising. */
          items?: {
            /** promoted, archived, merged, settled, asked, left, or unused: a skill that was archived. */
            outcome: string;
            /** id of the memory. */
            memory: string;
            /** what it says now; left out if it is gone or no fact. */
            text?: string;
            /** id of the fact that it was merged into or gave way to, or that contradicts it. */
            with?: string;
            /** what that fact says now. */
            with_text?: string;
            /** why: with the distance to the gate where it was left. */
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
        /** it is the dream before, which began less than a minute ago. */
        repeated?: boolean;
        /** the gate that was closed: enabled, time, sessions or lease. */
        gate?: string;
        /** how far it is to that gate. */
        reason?: string;
        /** what opens it. */
        hint?: string;
        /** why MEMORY.md and DREAMS.md do not follow yet. */
        waiting?: string;
      }[];
    };
  };
  /** Show when memory dreams next. */
  dream_status: {
    input: Where & {};
    output: {
      /** one for each scope at hand. */
      scopes: {
        /** canonical key. */
        scope: string;
        /** facts that stand in MEMORY.md. */
        promotions: number;
        /** the last dream; left out if there was none. */
        last?: {
          /** of the dream. */
          id: string;
          /** who dreamt. */
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
          /** facts that gave way in MEMORY.md. */
          archived: number;
          /** facts that went into others that say as much. */
          merged: number;
          /** facts that gave way to one that you said later and that contradicts them. */
          settled: number;
          /** questions put to you: see questions_list. */
          asked: number;
          /** facts that got other concept tags. */
          tagged: number;
          /** why it did nothing; dream_retry has it done. */
          failure?: string;
          /** whether MEMORY.md and DREAMS.md say so yet. */
          followed: boolean;
          /** what became of memories: those that rose or gave way, were merged, settled or asked about, and the 50 that were closest to rising. */
          items?: {
            /** promoted, archived, merged, settled, asked, left, or unused: a skill that was archived. */
            outcome: string;
            /** id of the memory. */
            memory: string;
            /** what it says now; left out if it is gone or no fact. */
            text?: string;
            /** id of the fact that it was merged into or gave way to, or that contradicts it. */
            with?: string;
            /** what that fact says now. */
            with_text?: string;
            /** why: with the distance to the gate where it was left. */
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
        /** one is under way. */
        dreaming?: boolean;
        /** the gate that keeps it from dreaming by itself now: enabled, time or sessions. */
        gate?: string;
        /** how far it is to that gate. */
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
        /** of the dream. */
        id: string;
        /** who dreamt. */
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
        /** facts that gave way in MEMORY.md. */
        archived: number;
        /** facts that went into others that say as much. */
        merged: number;
        /** facts that gave way to one that you said later and that contradicts them. */
        settled: number;
        /** questions put to you: see questions_list. */
        asked: number;
        /** facts that got other concept tags. */
        tagged: number;
        /** why it did nothing; dream_retry has it done. */
        failure?: string;
        /** whether MEMORY.md and DREAMS.md say so yet. */
        followed: boolean;
        /** what became of memories: those that rose or gave way, were merged, settled or asked about, and the 50 that were closest to rising. */
        items?: {
          /** promoted, archived, merged, settled, asked, left, or unused: a skill that was archived. */
          outcome: string;
          /** id of the memory. */
          memory: string;
          /** what it says now; left out if it is gone or no fact. */
          text?: string;
          /** id of the fact that it was merged into or gave way to, or that contradicts it. */
          with?: string;
          /** what that fact says now. */
          with_text?: string;
          /** why: with the distance to the gate where it was left. */
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
      /** of the dream. */
      id: string;
      /** who dreamt. */
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
      /** facts that gave way in MEMORY.md. */
      archived: number;
      /** facts that went into others that say as much. */
      merged: number;
      /** facts that gave way to one that you said later and that contradicts them. */
      settled: number;
      /** questions put to you: see questions_list. */
      asked: number;
      /** facts that got other concept tags. */
      tagged: number;
      /** why it did nothing; dream_retry has it done. */
      failure?: string;
      /** whether MEMORY.md and DREAMS.md say so yet. */
      followed: boolean;
      /** what became of memories: those that rose or gave way, were merged, settled or asked about, and the 50 that were closest to rising. */
      items?: {
        /** promoted, archived, merged, settled, asked, left, or unused: a skill that was archived. */
        outcome: string;
        /** id of the memory. */
        memory: string;
        /** what it says now; left out if it is gone or no fact. */
        text?: string;
        /** id of the fact that it was merged into or gave way to, or that contradicts it. */
        with?: string;
        /** what that fact says now. */
        with_text?: string;
        /** why: with the distance to the gate where it was left. */
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
  /** Have a dream done that failed. */
  dream_retry: {
    input: Where & {
      /** id of the dream. */
      id: string;
    };
    output: {
      /** one for each scope at hand that owns anything. */
      dreams: {
        /** who was to dream. */
        scope: string;
        /** what was done; left out if a gate was closed. */
        dream?: {
          /** of the dream. */
          id: string;
          /** who dreamt. */
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
          /** facts that gave way in MEMORY.md. */
          archived: number;
          /** facts that went into others that say as much. */
          merged: number;
          /** facts that gave way to one that you said later and that contradicts them. */
          settled: number;
          /** questions put to you: see questions_list. */
          asked: number;
          /** facts that got other concept tags. */
          tagged: number;
          /** why it did nothing; dream_retry has it done. */
          failure?: string;
          /** whether MEMORY.md and DREAMS.md say so yet. */
          followed: boolean;
          /** what became of memories: those that rose or gave way, were merged, settled or asked about, and the 50 that were closest to rising. */
          items?: {
            /** promoted, archived, merged, settled, asked, left, or unused: a skill that was archived. */
            outcome: string;
            /** id of the memory. */
            memory: string;
            /** what it says now; left out if it is gone or no fact. */
            text?: string;
            /** id of the fact that it was merged into or gave way to, or that contradicts it. */
            with?: string;
            /** what that fact says now. */
            with_text?: string;
            /** why: with the distance to the gate where it was left. */
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
        /** it is the dream before, which began less than a minute ago. */
        repeated?: boolean;
        /** the gate that was closed: enabled, time, sessions or lease. */
        gate?: string;
        /** how far it is to that gate. */
        reason?: string;
        /** what opens it. */
        hint?: string;
        /** why MEMORY.md and DREAMS.md do not follow yet. */
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
        /** of the question. */
        id: string;
        /** whose memory it is about. */
        scope: string;
        /** why time does not tell which of the facts holds. */
        reason: string;
        /** the two facts, the one that was recorded first first. */
        facts: {
          /** of the fact. */
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
      /** of the question. */
      id: string;
      /** id of the fact that holds, or both. */
      kept: string;
      /** id of the fact that is no longer believed; left out if both hold. */
      retired?: string;
      /** id of the decision that says so; revert undoes it unless both hold. */
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
  /** Show where memory is, here, and what it holds. */
  scope_show: {
    input: Where & {};
    output: {
      /** id of the workspace at hand; left out without one. */
      workspace?: string;
      /** directory of the workspace. */
      root?: string;
      /** what the id rests on: workspace.toml, git, directory or id. */
      identity?: string;
      /** what the home keeps the id for; left out where the workspace keeps it itself. */
      key?: string;
      /** agent at hand. */
      agent?: string;
      /** directory of the home. */
      home?: string;
      /** those that are seen from here, the deepest first. */
      scopes: {
        /** canonical key. */
        scope: string;
        /** where its files lie; left out where they have no place at hand. */
        directory?: string;
        /** current facts. */
        facts: number;
        /** files, those of the system too. */
        documents: number;
        /** notes that are seen. */
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
        /** decisions whose files are outstanding. */
        pending_files: number;
        /** newest commit of its directory, 7 digits. */
        commit?: string;
        /** of that commit. */
        subject?: string;
        /** what is wrong with the history, or that there is none. */
        history?: string;
        /** files that cannot be taken in as they are. */
        skipped?: {
          /** who owns it. */
          scope: string;
          /** of the file; left out for the directory of the scope. */
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
  /** Take in what was done to files by hand. */
  sync: {
    input: Where & {
      /** say what would be taken in and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** that have a directory at hand. */
      scopes: number;
      /** new files. */
      added: number;
      /** files that were edited. */
      updated: number;
      /** files that are gone. */
      deleted: number;
      /** what was done by hand since the last look. */
      changes: {
        /** add, update or delete. */
        decision: string;
        /** the decision, for decision and revert; left out with dry_run. */
        decision_id?: string;
        /** who owns it. */
        scope: string;
        /** of the file. */
        path: string;
        /** what is wrong with the file as it is now. */
        problem?: string;
        /** path that the file had before it was renamed. */
        renamed_from?: string;
      }[];
      /** files that cannot be taken in as they are. */
      skipped?: {
        /** who owns it. */
        scope: string;
        /** of the file; left out for the directory of the scope. */
        path?: string;
        /** why. */
        reason: string;
      }[];
      /** directories that cannot be read, or whose every file is gone at once; nothing is taken for deleted there. */
      away?: {
        /** who owns it. */
        scope: string;
        /** of the file; left out for the directory of the scope. */
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
      /** trust them no longer. */
      revoke?: boolean;
      /** hashes of the versions that were shown: where a file has another by now nothing is changed. */
      versions?: string[];
      /** show the files and change nothing. */
      dry_run?: boolean;
      /** go ahead; without it, and without dry_run, nothing is done. */
      yes?: boolean;
    };
    output: {
      /** that are foreign, or with revoke trusted, or were until now. */
      files: {
        /** of the document. */
        id: string;
        /** below the directory of its scope; @/ begins one of the project itself. */
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
        /** its text, without secrets; of a long one the beginning. */
        text: string;
        /** the text is longer: look at the file. */
        cut?: boolean;
        /** what in it reads like an instruction or hides something. */
        threats?: string[];
        /** what brought it, as far as git tells. */
        brought?: {
          /** clone, pull, merge or what else it was; or why nothing tells. */
          how: string;
          /** its id. */
          commit?: string;
          /** who made it, as it says. */
          author?: string;
          /** when, as it says. */
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
      /** count what was asked in so many days, 1 to 36500. */
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
        /** decisions whose files are outstanding. */
        pending_files: number;
        /** memories that wait for their vector. */
        pending_vectors: number;
        /** closed conversations whose transcript is outstanding. */
        pending_transcripts: number;
        /** what failures and corrections taught. */
        learnings: number;
        /** runs of tools kept. */
        outcomes: number;
        /** what conversations were given about memory. */
        snapshots: number;
        /** of messages. */
        images: number;
        /** facts and files forgotten for good. */
        tombstones: number;
        /** recall events kept. */
        recalls: number;
        /** of all models. */
        vectors: number;
        /** last change number. */
        change: number;
        /** facts that dreams put into MEMORY.md and that stand there. */
        promotions: number;
        /** in the window, hits that were shown to somebody who asked. */
        asked: number;
        /** concept tags of current facts, the most frequent first; 10 at most. */
        tags: {
          /** the concept. */
          tag: string;
          /** current facts about it. */
          facts: number;
        }[];
        /** when it dreamt last. */
        last_dream?: string;
      }[];
      /** size of the database file. */
      bytes: number;
      /** sessions whose turns are in compressed files. */
      archived: number;
      /** size of these files. */
      archive_bytes: number;
      /** what the database and these files may take, in bytes; beyond it the oldest of them go, never facts. */
      disk_budget?: number;
      /** model whose vectors serve. */
      embedder?: string;
      /** model that is to follow it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that were seen to. */
        done: number;
        /** memories there were when it was named. */
        total: number;
        /** whether the model is at hand here. */
        ready: boolean;
      };
      /** what models were asked of today, in UTC, for memory's own work. */
      model: {
        /** that were made. */
        calls: number;
        /** that may be made; left out where any number may. */
        max_calls?: number;
        /** of requests and answers. */
        tokens: number;
        /** that may be used; left out where any number may. */
        max_tokens?: number;
        /** calls that were not made, for these limits. */
        refused: number;
      };
      /** the window of what was asked. */
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
        /** where; left out for what is of the whole home. */
        scope?: string;
        /** how many. */
        count: number;
        /** what it is. */
        detail: string;
        /** what shows it or settles it. */
        command: string;
      }[];
    };
  };
  /** Look for damage. */
  doctor: {
    input: Where & {
      /** take permissions on files of memory from others, remove what killed restores left, and take note of a database that was begun anew. */
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
        /** command that mends it; left out where a backup is needed. */
        repair?: string;
      }[];
      /** scopes that were looked at. */
      scopes: number;
      /** facts that were looked at. */
      facts: number;
      /** turns that were looked at. */
      turns: number;
      /** vectors, files and transcripts that are outstanding: work under way, not damage. */
      waiting: number;
      /** embedding model that is to follow, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that were seen to. */
        done: number;
        /** memories there were when it was named. */
        total: number;
        /** whether the model is at hand here. */
        ready: boolean;
      };
      /** facts about a project that lie in the global scope, where every project sees them; 100 at most. */
      misplaced?: {
        /** of the fact. */
        id: string;
        /** the statement. */
        text: string;
        /** where it is. */
        scope: string;
        /** command that moves it to the project in whose directory it is run. */
        move: string;
      }[];
      /** files beside the database that hold it as it was: before this version changed its schema, and automatic backups; forget removes them. */
      copies?: string[];
      /** files that came with a repository and are not trusted; strata trust shows those of the project at hand. */
      foreign?: number;
      /** sessions from which facts could not be extracted; strata extractor retry has them read again; 100 at most. */
      given_up?: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
      /** files and directories of the home and the workspace that others than you may use; 1,000 at most. */
      loose?: {
        /** where it is. */
        path: string;
        /** its permissions, in octal. */
        mode: string;
        /** those that it should have. */
        want: string;
      }[];
      /** their permissions were taken from others, and unfinished restores removed. */
      mended?: boolean;
      /** directories beside the home that restores left which were killed. */
      unfinished?: string[];
      /** agents whose configuration has an entry of Strata. */
      agents?: {
        /** by which strata connect knows it. */
        client: string;
        /** for people. */
        name: string;
        /** its configuration. */
        file: string;
        /** why it does not get at this memory; left out where it does. */
        fault?: string;
        /** command that mends it. */
        repair?: string;
      }[];
      /** what is to be known of the directory at hand, such as a .git that leads to a repository which does not know it. */
      workspace?: string[];
    };
  };
  /** Show what makes vectors. */
  embedder_show: {
    input: Where & {};
    output: {
      /** model whose vectors serve; left out while there are none. */
      model?: string;
      /** whether that model is at hand here. */
      ready: boolean;
      /** model that is to follow it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that were seen to. */
        done: number;
        /** memories there were when it was named. */
        total: number;
        /** whether the model is at hand here. */
        ready: boolean;
      };
      /** model of the built-in embedder, with the words it has here. */
      builtin: string;
      /** file of word vectors that was imported; left out while the built-in embedder has the words of the program. */
      file?: string;
      /** words of that file. */
      words?: number;
      /** length of their vectors. */
      dimensions?: number;
      /** why the file is not used: the words of the program are, until it is mended or removed. */
      problem?: string;
    };
  };
  /** Give the built-in embedder other words. */
  embedder_import: {
    input: Where & {};
    output: {
      /** model whose vectors serve; left out while there are none. */
      model?: string;
      /** whether that model is at hand here. */
      ready: boolean;
      /** model that is to follow it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that were seen to. */
        done: number;
        /** memories there were when it was named. */
        total: number;
        /** whether the model is at hand here. */
        ready: boolean;
      };
      /** model of the built-in embedder, with the words it has here. */
      builtin: string;
      /** file of word vectors that was imported; left out while the built-in embedder has the words of the program. */
      file?: string;
      /** words of that file. */
      words?: number;
      /** length of their vectors. */
      dimensions?: number;
      /** why the file is not used: the words of the program are, until it is mended or removed. */
      problem?: string;
    };
  };
  /** Give the built-in embedder its own words back. */
  embedder_remove: {
    input: Where & {};
    output: {
      /** whether there were any. */
      removed: boolean;
      /** model whose vectors serve; left out while there are none. */
      model?: string;
      /** whether that model is at hand here. */
      ready: boolean;
      /** model that is to follow it, while its vectors are made. */
      next_embedder?: {
        /** name of the model. */
        model: string;
        /** memories that were seen to. */
        done: number;
        /** memories there were when it was named. */
        total: number;
        /** whether the model is at hand here. */
        ready: boolean;
      };
      /** model of the built-in embedder, with the words it has here. */
      builtin: string;
      /** file of word vectors that was imported; left out while the built-in embedder has the words of the program. */
      file?: string;
      /** words of that file. */
      words?: number;
      /** length of their vectors. */
      dimensions?: number;
      /** why the file is not used: the words of the program are, until it is mended or removed. */
      problem?: string;
    };
  };
  /** Make the vectors that are outstanding. */
  embed: {
    input: Where & {};
    output: {
      /** model whose vectors answer questions; empty while there are none. */
      model: string;
      /** model that is still to follow, because its server did not make every vector. */
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
      /** memories whose vectors are still to be made; they keep those they had. */
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
        /** command that mends it; left out where a backup is needed. */
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
        /** older backups that gave way to it. */
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
      /** older backups that gave way to it. */
      removed?: string[];
    };
  };
  /** Take in conversations that were held elsewhere. */
  ingest: {
    input: Where & {
      /** id of the session (default: the transcript's own, else one that follows from its first turn). */
      session?: string;
      /** leave out what was said before this time, such as 2026-03-01. */
      since?: string;
      /** show what it would do and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** the file it was read from. */
      file?: string;
      /** that were read. */
      messages: number;
      /** turns that were new. */
      added: number;
      /** turns that were there already. */
      known: number;
      /** the conversations it holds. */
      sessions: {
        /** of the session it is now. */
        id: string;
        /** who owns it. */
        scope: string;
        /** turns that were new. */
        added: number;
        /** turns that were there already. */
        known: number;
      }[];
      /** what was kept of them as facts or was not, and why; at most 1,000. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** of the fact. */
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
        /** how much. */
        count: number;
      }[];
      /** what a reader should know. */
      notes?: string[];
      /** nothing was changed. */
      dry_run?: boolean;
    };
  };
  /** Count what waits for its facts. */
  extractor_status: {
    input: Where & {};
    output: {
      /** whether a model is at hand that reads after the rules. */
      model: boolean;
      /** one for rules, one for the model. */
      extractors: {
        /** rules or model. */
        extractor: string;
        /** sessions that nobody reads yet. */
        waiting: number;
        /** sessions that are read now. */
        reading: number;
        /** sessions that are tried again after a failure. */
        retrying: number;
        /** sessions that were given up. */
        given_up: number;
        /** turns that were not read, without those given up. */
        turns: number;
        /** why the last attempt of one that waits failed. */
        error?: string;
      }[];
      /** sessions that were given up; 100 at most. */
      given_up: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
  /** List sessions that wait for their facts. */
  extractor_pending: {
    input: Where & {
      /** show what the rules would keep of the turns that were not read, and what not and why. */
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
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
      /** show what the rules would keep, and what not and why, and change nothing. */
      dry_run?: boolean;
    };
    output: {
      /** what was decided about what was found. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** of the fact. */
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
      /** of a dry run: statements that were decided about before. */
      known?: number;
      /** of a dry run: what is left out, and why. */
      left?: {
        /** what was said. */
        text: string;
        /** why nothing is remembered of it. */
        reason: string;
        /** id of the turn. */
        turn: string;
      }[];
      /** what waits still. */
      rest?: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
  /** Extract now the facts that wait. */
  extractor_drain: {
    input: Where & {};
    output: {
      /** what was decided about what was found. */
      facts: {
        /** add, update, supersede, noop or reject. */
        decision: string;
        /** the fact; empty for a rejection. */
        text?: string;
        /** why, in one sentence. */
        reason: string;
        /** of the fact. */
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
      /** of a dry run: statements that were decided about before. */
      known?: number;
      /** of a dry run: what is left out, and why. */
      left?: {
        /** what was said. */
        text: string;
        /** why nothing is remembered of it. */
        reason: string;
        /** id of the turn. */
        turn: string;
      }[];
      /** what waits still. */
      rest?: {
        /** id of the session. */
        session: string;
        /** who owns it. */
        scope: string;
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
  /** Have sessions that were given up read again. */
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
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
      /** go ahead; without it, and without dry_run, nothing is done. */
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
        /** who is to read it: rules or model. */
        extractor: string;
        /** waiting, reading, retrying or given up. */
        state: string;
        /** how many of its turns were not read. */
        turns: number;
        /** place of the last turn that was. */
        after: number;
        /** that failed since it came on last. */
        attempts?: number;
        /** when it is tried again. */
        retry_at?: string;
        /** why the last attempt failed. */
        error?: string;
        /** when it was given up. */
        given_up_at?: string;
        /** what would be decided about, by rules. */
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
