"""Caching proxies in front of a service: the programs of Debian, and Envoy from its wheel, with their own configurations."""
import contextlib
import getpass
import http.client
import os
import pathlib
import re
import shutil
import subprocess
import sys

import fleet
import service

CACHING = service.ROOT / "docs/caching.md"


class Proxy:
    """A proxy that runs in a folder; subclasses write its configuration and return its command."""

    name = ""
    # The statuses that the proxy stores with an explicit max-age, in addition to 200.
    stores = frozenset()
    # Whether the proxy can remove all responses with a tag.
    by_tag = False

    def __init__(self, folder, backend, settings=""):
        """`backend` is the port of the service; `settings` are further settings for the connections to it."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.backend, self.settings, self.port = folder, backend, settings, service.free_port()

    def command(self):
        raise NotImplementedError

    def ready(self):
        """The path that is requested until the proxy responds."""
        return "/healthz"

    def start(self):
        command = [str(word) for word in self.command()]
        self.log = self.folder / "output.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, env=self.environment())
        try:
            service.wait_until(lambda: service.is_ready(self.port, self.ready()), f"{self.name} responds", 60)
        except AssertionError as reason:
            service.end(self.process)
            raise AssertionError(f"{reason}: {self.log.read_text(errors='replace')[-600:]}") from reason

    def environment(self):
        return dict(os.environ)

    def purge(self, header, tag):
        """Removes all responses whose header contains the tag."""
        raise NotImplementedError

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


def program(name):
    """Returns the path of a program, also of programs for administrators; nil if it is not installed."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:{pathlib.Path(sys.executable).parent}")


class Nginx(Proxy):
    """nginx with deploy/nginx.conf, and deploy/purge.sh."""

    name = "nginx"
    stores = frozenset({400, 404})
    by_tag = True
    headers = ("Cache-Tag",)

    class Backend:
        """A backend on a fixed port, as part of the configuration."""

        def __init__(self, port):
            self.port = port

    def __init__(self, folder, backend, settings=""):
        super().__init__(folder, backend, settings)
        self.front = fleet.Front(folder / "front", [self.Backend(backend)])
        self.port = self.front.port

    def start(self):
        self.front.start()
        self.process = self.front.process

    def purge(self, header, tag):
        subprocess.run([fleet.DEPLOY / "purge.sh", self.front.prefix / "cache", tag], check=True, stdout=subprocess.DEVNULL)


# Removes responses by the tags in any header, as CDNs do.
BANS = """
sub vcl_recv {
    if (req.method == "BAN") {
        ban("obj.http." + req.http.X-Tag-Header + " ~ (^|[^-.a-z0-9])" + req.http.X-Tag + "([^-.a-z0-9]|$)");
        return (synth(200));
    }
}
"""


class Varnish(Proxy):
    """Varnish with the recipe of docs/caching.md, and bans for other headers than xkey."""

    name = "Varnish"
    stores = frozenset({404})
    by_tag = True
    headers = ("Cache-Tag", "Surrogate-Key", "xkey", "Edge-Cache-Tag")

    def command(self):
        recipes = re.findall(r"^```vcl\n(.*?)^```", CACHING.read_text(), re.MULTILINE | re.DOTALL)
        vcl = self.write("default.vcl", f"""vcl 4.1;
backend default {{ .host = "127.0.0.1"; .port = "{self.backend}"; }}
{"".join(recipes)}{BANS}""")
        # Without a separate user, so that the folder can belong to any user.
        return [program("varnishd"), "-F", "-f", vcl, "-a", f"127.0.0.1:{self.port}", "-n", self.folder / "state", "-j", "none",
                "-s", "malloc,64M", *self.settings.split()]

    def purge(self, header, tag):
        method = "PURGE" if header == "xkey" else "BAN"
        fields = {"xkey": tag} if header == "xkey" else {"X-Tag-Header": header, "X-Tag": tag.replace(".", "[.]")}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, "/", headers=fields)
            response = connection.getresponse()
            assert response.status == 200, f"{method} {response.status} {response.reason}"


class Squid(Proxy):
    # Errors are stored only with negative_ttl, which ignores their Cache-Control.
    name = "squid"

    def command(self):
        file = self.write("squid.conf", f"""
http_port 127.0.0.1:{self.port} accel defaultsite=127.0.0.1:{self.port}
cache_peer 127.0.0.1 parent {self.backend} 0 no-query no-digest originserver name=headroom
acl everyone src all
http_access allow everyone
cache_peer_access headroom allow everyone
cache_mem 64 MB
maximum_object_size_in_memory 8 MB
cache_log /dev/null
access_log none
pid_filename none
netdb_filename none
coredump_dir none
shutdown_lifetime 0 seconds
{self.settings}
""")
        return [program("squid"), "-N", "-f", file]


class Apache(Proxy):
    name = "Apache"
    stores = frozenset({404})

    def command(self):
        cache = self.folder / "cache"
        cache.mkdir(exist_ok=True)
        modules = ["mpm_event", "authz_core", "proxy", "proxy_http", "cache", "cache_disk"]
        user = ""
        if os.geteuid() == 0:
            shutil.chown(cache, "www-data", "www-data")
            user = "User www-data\nGroup www-data\n"
        file = self.write("apache.conf", f"""
ServerRoot {self.folder}
ServerName 127.0.0.1
Listen 127.0.0.1:{self.port}
PidFile {self.folder}/pid
ErrorLog {self.folder}/error.log
DefaultRuntimeDir {self.folder}
{user}{"".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" + chr(10) for name in modules)}
# One process, because each process has its own connections.
StartServers 1
ServerLimit 1
ThreadsPerChild 25
MaxRequestWorkers 25
CacheRoot {cache}
CacheEnable disk /
AllowEncodedSlashes NoDecode
ProxyPass / http://127.0.0.1:{self.backend}/ nocanon {self.settings or "ttl=60"}
""")
        return [program("apache2"), "-D", "FOREGROUND", "-f", file]


class HAProxy(Proxy):
    name = "HAProxy"

    def command(self):
        file = self.write("haproxy.cfg", f"""
global
    maxconn 100
defaults
    mode http
    timeout connect 5s
    timeout client 200s
    timeout server 200s
    # Connections are shared by all clients.
    http-reuse always
cache crops
    total-max-size 64
    max-object-size 8000000
    max-age 604800
frontend web
    bind 127.0.0.1:{self.port}
    default_backend headroom
backend headroom
    http-request cache-use crops
    http-response cache-store crops
    server headroom 127.0.0.1:{self.backend} {self.settings}
""")
        return [program("haproxy"), "-db", "-f", file]


class TrafficServer(Proxy):
    name = "Traffic Server"
    stores = frozenset({404})

    def command(self):
        user = "trafficserver" if os.geteuid() == 0 else getpass.getuser()
        for name in ("etc", "log", "run", "cache", "share"):
            (self.folder / name).mkdir(exist_ok=True)
        self.write("runroot.yaml", "".join(f"{name}: {path}\n" for name, path in {
            "prefix": self.folder, "exec_prefix": self.folder, "bindir": "/usr/bin", "sbindir": "/usr/sbin",
            "sysconfdir": self.folder / "etc", "datadir": self.folder / "share", "includedir": "/usr/include",
            "libdir": "/usr/lib/trafficserver", "libexecdir": "/usr/lib/trafficserver/modules",
            "localstatedir": self.folder / "run", "runtimedir": self.folder / "run", "logdir": self.folder / "log",
            "cachedir": self.folder / "cache"}.items()))
        self.write("etc/records.config", f"""
CONFIG proxy.config.http.server_ports STRING {self.port}:ip-in=127.0.0.1
CONFIG proxy.config.admin.user_id STRING {user}
CONFIG proxy.config.url_remap.pristine_host_hdr INT 1
CONFIG proxy.config.diags.output.diag STRING E
CONFIG proxy.config.log.logging_enabled INT 0
{self.settings}
""")
        self.write("etc/remap.config", f"map / http://127.0.0.1:{self.backend}/\n")
        self.write("etc/storage.config", f"{self.folder}/cache 32M\n")
        self.write("etc/ip_allow.yaml", "ip_allow:\n  - {apply: in, ip_addrs: 127.0.0.1, action: allow, methods: ALL}\n")
        for name in ("plugin.config", "logging.yaml", "cache.config", "hosting.config", "volume.config"):
            self.write(f"etc/{name}", "")
        if os.geteuid() == 0:
            # The program gives up its rights, and then creates its files.
            for path in [self.folder, *self.folder.rglob("*")]:
                shutil.chown(path, user, user)
        return [program("traffic_server"), f"--run-root={self.folder}/runroot.yaml"]


class Envoy(Proxy):
    name = "Envoy"

    def command(self):
        file = self.write("envoy.yaml", f"""
static_resources:
  listeners:
  - address: {{socket_address: {{address: 127.0.0.1, port_value: {self.port}}}}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: web
          route_config:
            virtual_hosts:
            - {{name: all, domains: ["*"], routes: [{{match: {{prefix: "/"}}, route: {{cluster: headroom, timeout: 90s}}}}]}}
          http_filters:
          - name: envoy.filters.http.cache
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.cache.v3.CacheConfig
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.http.cache.simple_http_cache.v3.SimpleHttpCacheConfig
          - name: envoy.filters.http.router
            typed_config: {{"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
  clusters:
  - name: headroom
    type: STATIC
    connect_timeout: 5s
    load_assignment:
      cluster_name: headroom
      endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 127.0.0.1, port_value: {self.backend}}}}}}}}}]}}]
{self.settings}""")
        return [program("envoy"), "-c", file, "--concurrency", "1", "--use-dynamic-base-id", "-l", "error"]


PROGRAMS = {
    Nginx: "nginx", Varnish: "varnishd", Squid: "squid", Apache: "apache2", HAProxy: "haproxy", TrafficServer: "traffic_server",
    Envoy: "envoy",
}


def installed():
    """Returns the proxies whose programs are installed, and the names of the others."""
    found = [kind for kind, name in PROGRAMS.items() if program(name)]
    return found, [kind.name for kind in PROGRAMS if kind not in found]
