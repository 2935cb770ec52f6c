"""Resources of this machine for drills: namespaces and small disks. An unavailable resource raises an error."""
import contextlib
import subprocess

from control_group import Skipped, needs_root


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Mounts a file system of the given size at a folder."""
    needs_root("a file system")
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=False, capture_output=True, text=True)
    if made.returncode:
        raise Skipped(f"cannot mount a file system: {made.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def with_resolver(address, folder, command):
    """Returns a command that runs the given command with a separate name server, in a mount namespace."""
    needs_root("a name server")
    file = folder / "resolv.conf"
    file.write_text(f"nameserver {address}\noptions timeout:1 attempts:1\n")
    return ["unshare", "-m", "sh", "-c", f'mount --bind {file} /etc/resolv.conf && exec "$@"', "sh", *command]
