"""Writes claude-code.json and codex.json: what the Python guard had saved when it
had read the first part of two recorded sessions and judged a few calls.

Usage: python3 make.py <folder of the Python guard's guard.py> <internal/harness>
The state names its transcripts below /home/dev/sessions; the number of lines that
the main one had is in each call below.
"""
import json, os, shutil, sys, tempfile

sys.path.insert(0, sys.argv[1])
import guard

ROOT = tempfile.mkdtemp()
HARNESSES = sys.argv[2]
ENV = {"XDG_STATE_HOME": ROOT + "/state", "HOME": ROOT}


def session(harness, session_id, folder, main, lines, extra):
    to = os.path.join(ROOT, harness)
    shutil.copytree(os.path.join(HARNESSES, folder), to)
    path = os.path.join(to, main)
    with open(path) as fh:
        head = fh.readlines()[:lines]
    with open(path, "w") as fh:
        fh.writelines(head)

    def call(n, tool, tool_input, **more):
        hook = dict({"hook_event_name": "PreToolUse", "session_id": session_id, "transcript_path": path, "cwd": "/",
                     "tool_name": tool, "tool_input": tool_input, "tool_use_id": "call_%d" % n}, **dict(extra, **more))
        return guard.run_hook(hook, harness, ENV)

    edit = {"file_path": "/home/dev/project/é.go", "old_string": "a\tb", "new_string": "x\u2028y 1.50"}
    call(1, "Bash", {"command": "go  test", "description": "x"})
    call(2, "Read", {"file_path": "/home/dev/project/a.go"})
    call(3, "Edit", edit, agent_id="sub1")
    for n in (4, 5, 6):
        call(n, "Write", {"file_path": "/x", "content": "same"}, agent_id="sub2")  # the third is blocked
    call(7, "Edit", edit)
    call(8, "Grep", {"pattern": "x", "n": 1e-7})
    call(9, "Edit", edit)
    with open(os.path.join(ROOT, "state", "runaway-guard", session_id + ".json")) as fh:
        text = fh.read().replace(ROOT, "/home/dev/sessions")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), harness + ".json"), "w") as out:
        out.write(text)
    state = json.loads(text)
    print(harness, state["cost_usd"], state["counts"], state["estimated_models"], sorted(state["files"]))


session("claude-code", "23dbff23-0698-4ed8-b10b-da140d276d39", "claudecode/testdata/transcripts/full",
        "23dbff23-0698-4ed8-b10b-da140d276d39.jsonl", 30, {"prompt_id": "p1"})
session("codex", "01a22c0e-0a5c-79e1-95d4-4ebf9626975e", "codex/testdata/rollouts/subagent",
        "rollout-2026-11-30T10-44-07-01a22c0e-0a5c-79e1-95d4-4ebf9626975e.jsonl", 22, {"turn_id": "t1", "model": "gpt-5.5-codex"})
