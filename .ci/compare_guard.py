#!/usr/bin/env python3
"""Run the differential tool whose path is the first argument, with two mends.

Its random Claude Code sessions may add a line to a subagent's transcript before
that file's folder exists, which ends the tool with FileNotFoundError (seed 1).
The folder is made first.

Its random Codex sessions all number their responses from 1, so that two sessions
seem to hold the same response, which each program then counts in one of them
(docs/DIFFERENCES.md, the search for copies). The session's id is put in front, as
ids of real responses are the only ones of their kind.

The random numbers it draws stay the same.
"""
import importlib.util
import os
import sys

spec = importlib.util.spec_from_file_location("compare_guard", sys.argv.pop(1))
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)
noise = tool.Claude.noise


def noise_in_a_folder(session, agent):
    os.makedirs(os.path.dirname(session.files[agent]), exist_ok=True)
    return noise(session, agent)


write = tool.Codex._write


def write_with_own_ids(session, agent, kind, payload):
    if "response_id" in payload:
        payload = dict(payload, response_id=session.sid + payload["response_id"])
    return write(session, agent, kind, payload)


tool.Claude.noise = noise_in_a_folder
tool.Codex._write = write_with_own_ids
sys.exit(tool.main())
