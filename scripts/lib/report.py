"""The output of the checks: a line for each check, and the exit of the program."""
import subprocess
import sys

FAILED = []
# The exit status of a check that cannot run on this machine. It is the status of a skipped test in Automake.
SKIPPED = 77


def check(name, holds, said=""):
    """Prints whether a check succeeded, and its observations."""
    print(f"{'ok     ' if holds else 'FAILED '} {name}{f': {said}' if said else ''}", flush=True)
    if not holds:
        FAILED.append(name)


def equal(name, got, expected):
    """Checks that a value equals the expected value; prints a different value."""
    check(name, got == expected, "" if got == expected else f"{got}, expected {expected}")


def each(checks, *arguments):
    """Runs check functions by their descriptions. Each function returns its observations, or raises an error."""
    seen = {}
    for sentence, function in checks.items():
        try:
            seen[sentence] = function(*arguments)
            check(sentence, True, seen[sentence])
        except (AssertionError, OSError) as reason:
            check(sentence, False, reason)
    return seen


def omit(part, reason):
    """Prints that a part of the check cannot run on this machine; scripts/run-checks.py repeats this line."""
    print(f"skipped {part}: {reason}", flush=True)


def skip(reason):
    """Ends the program, because the whole check cannot run on this machine."""
    print(f"skipped: {reason}", flush=True)
    sys.exit(SKIPPED)


def output(*command, **options):
    """Returns the output of a program; raises an AssertionError with the output if the program fails."""
    done = subprocess.run([str(word) for word in command], check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def end(*faults):
    """Prints all faults and ends the program, with status 1 if a check failed or if there are faults."""
    for fault in faults:
        print(f"WRONG {fault}")
    if FAILED:
        print(f"{len(FAILED)} failed: {', '.join(FAILED)}")
    sys.exit(bool(FAILED or faults))
