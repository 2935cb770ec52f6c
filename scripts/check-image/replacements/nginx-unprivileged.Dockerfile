# Replaces nginxinc/nginx-unprivileged. replicas.conf requires nginx 1.27.3 or newer, which is in Debian's testing suite.
FROM debian:bookworm-slim
# Accepts a mirror that is some days old.
RUN sed -n 's/^deb \(.*\) bookworm main$/deb [check-valid-until=no] \1 forky main/p' /etc/apt/sources.list \
        > /etc/apt/sources.list.d/forky.list \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --target-release forky curl nginx-light \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 101 --no-create-home --shell /usr/sbin/nologin unprivileged \
    && mkdir -p /var/cache/nginx \
    && chown 101:0 /var/cache/nginx
USER 101
EXPOSE 8080
STOPSIGNAL SIGQUIT
CMD ["nginx", "-g", "daemon off;"]
