"""A job that does one step after another, saves its work every EVERY steps, and once more when USR1
asks for it; then it leaves with 85. It begins where its last checkpoint left off.

usage: trainer.py NAME STEPS EVERY SAVE_SECONDS

NAME.steps gets a line for each step: attempt, GPUs, step. NAME.ckpt is the checkpoint. It has done
enough when NAME.enough is there."""

import os
import signal
import sys
import time

NAME, STEPS, EVERY, SAVE_SECONDS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
ASKED = []


def load():
    try:
        with open(f"{NAME}.ckpt", encoding="ascii") as file:
            return int(file.read())
    except FileNotFoundError:
        return 0


def save(step):
    with open(f"{NAME}.new", "w", encoding="ascii") as file:
        file.write(str(step))
    os.replace(f"{NAME}.new", f"{NAME}.ckpt")
    with open(os.environ["BALEEN_PROGRESS"], "a", encoding="ascii") as file:
        file.write(f"{step}/{STEPS}\n")


signal.signal(signal.SIGUSR1, lambda *_: ASKED.append(True))
done = load()
with open(f"{NAME}.steps", "a", encoding="ascii", buffering=1) as log:
    while done < STEPS and not os.path.exists(f"{NAME}.enough"):
        if ASKED:
            time.sleep(SAVE_SECONDS)
            save(done)
            sys.exit(85)
        time.sleep(0.01)
        done += 1
        log.write(f"{os.environ['BALEEN_ATTEMPT']} {os.environ['BALEEN_GPUS']} {done}\n")
        if done % EVERY == 0:
            save(done)
save(done)
