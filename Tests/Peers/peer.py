"""Answers questions with the peer that the argument names: one JSON object a line, until the input ends.

A peer is a module beside this one. A question's "ask" names one of its functions, which takes the question and returns
the answer; what the function throws becomes {"error": ...}.
"""

import importlib
import json
import sys


def main():
    peer = importlib.import_module(sys.argv[1])
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = getattr(peer, question["ask"])(question)
        except Exception as fault:
            answer = {"error": f"{type(fault).__name__}: {fault}"}
        print(json.dumps(answer), flush=True)


main()
