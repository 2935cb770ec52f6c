# Replaces redis:7-bookworm, with Debian's package of the same version.
FROM debian:bookworm-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends redis-server \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir --mode=0777 /data
WORKDIR /data
EXPOSE 6379
CMD ["redis-server"]
