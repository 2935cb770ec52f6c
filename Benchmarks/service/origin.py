"""The nginx server that serves the images to all contenders. It also serves files for comparison."""

import contextlib
import os
import pathlib
import shutil
import typing

import processes
import service

CONFIGURATION = """
daemon off;
{user}
worker_processes {workers};
pid {run}/nginx.pid;
error_log {run}/nginx-errors.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log {access_log};
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    types {{ image/jpeg jpg; }}
    add_header Cache-Control "{cache_control}";
    client_body_temp_path {run}/nginx-body;
    proxy_temp_path {run}/nginx-proxy;
    fastcgi_temp_path {run}/nginx-fastcgi;
    uwsgi_temp_path {run}/nginx-uwsgi;
    scgi_temp_path {run}/nginx-scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{ root {images}; }}
        location = /ready {{ return 204; }}
    }}
}}
"""


@contextlib.contextmanager
def nginx(
    images: pathlib.Path, run: pathlib.Path, *, workers: int = 1, cache_control: str = "no-store",
    access_log: pathlib.Path | None = None,
) -> typing.Iterator[str]:
    """Serves a folder; yields host and port."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        raise processes.Unavailable("nginx is not installed")
    port = service.free_port()
    # The workers can read the files of the user who started this program.
    user = "user root;" if os.geteuid() == 0 else ""
    file = run / "nginx.conf"
    text = CONFIGURATION.format(
        user=user, run=run, port=port, images=images.resolve(), workers=workers, cache_control=cache_control,
        access_log=access_log or "off",
    )
    file.write_text(text)
    command = [program, "-p", str(run), "-c", str(file), "-e", str(run / "nginx-errors.log")]
    with processes.server(command, port, "/ready"):
        yield f"127.0.0.1:{port}"
