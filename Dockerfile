# Two stages: the toolchain builds one executable; the final image has the executable and its shared libraries.

FROM swift:6.3-bookworm AS builder
WORKDIR /source
COPY scripts/debian-packages.txt scripts/install-dependencies.sh scripts/
RUN scripts/install-dependencies.sh && rm -rf /var/lib/apt/lists/*
COPY . .
# The build folder is a cache for the next build and not part of an image. Deterministic hashing, as in the Makefile,
# keeps SwiftPM's arguments constant, so that the cache can be used.
ENV SWIFT_DETERMINISTIC_HASHING=1
RUN --mount=type=cache,target=/source/.build \
    swift build -c release --static-swift-stdlib --disable-index-store --product headroom \
    && install -D "$(swift build -c release --static-swift-stdlib --show-bin-path)/headroom" /install/headroom \
    && strip /install/headroom

FROM debian:bookworm-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates \
        libavif15 \
        libbrotli1 \
        libcurl4 \
        libde265-0 \
        libdeflate0 \
        libgif7 \
        libhiredis0.14 \
        libidn2-0 \
        libjpeg62-turbo \
        libjxl0.7 \
        liblcms2-2 \
        libpng16-16 \
        libseccomp2 \
        libssl3 \
        libstdc++6 \
        libtiff6 \
        libwebp7 \
        libwebpmux3 \
        libyaml-0-2 \
        libzimg2 \
        libzstd1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin headroom
COPY --from=builder /install/headroom /usr/local/bin/headroom
COPY LICENSE NOTICE /usr/share/doc/headroom/
# A number, because Kubernetes cannot verify that a user name is not root.
USER 10001:10001
# Listens on all addresses of IPv6 and IPv4, because loopback is not reachable from outside the container.
ENV HEADROOM_HOST=::
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["headroom", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["headroom"]
CMD ["serve"]
