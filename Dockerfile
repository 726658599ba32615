# The gateway in a container. docs/deployment.md describes how to build and run it.

FROM node:22.20.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/runtime.mjs scripts/write-build.ts scripts/
RUN npm ci --omit=dev --no-audit --no-fund
COPY README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
# The build of an image has no git. HEAD and the branches name the commit, and the pattern matches nothing where there is no repository.
COPY LICENSE .gi[t] .git/
ARG COMMIT=
ARG COMMIT_DATE=
COPY bin bin/
COPY src src/
COPY dashboard dashboard/
COPY docs docs/
COPY deploy deploy/
COPY bench/README.md bench/
COPY bench/onthebench/README.md bench/onthebench/
# The image gets the files of the npm package, the runtime, and the other dependencies, without unused copies of the vocabularies.
RUN mkdir -p /out/opt/tollgate/node_modules /out/usr/local/bin \
  && npm pack --silent --pack-destination /tmp \
  && tar -xzf /tmp/tollgate-*.tgz --strip-components=1 -C /out/opt/tollgate \
  && install -m 0755 "$(node scripts/runtime.mjs)" /out/usr/local/bin/bun \
  && rm -rf node_modules/gpt-tokenizer/cjs node_modules/gpt-tokenizer/data node_modules/gpt-tokenizer/src \
    node_modules/bun node_modules/@oven node_modules/.bin \
  && cp -r node_modules/. /out/opt/tollgate/node_modules/ \
  && ln -s /opt/tollgate/bin/tollgate /out/usr/local/bin/tollgate
COPY deploy/docker/healthcheck.mjs /out/opt/tollgate/healthcheck.mjs

FROM debian:12.12-slim
RUN groupadd --system --gid 10001 tollgate \
  && useradd --system --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin tollgate \
  && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /out/ /
# The root may be read-only, so the runtime must not keep a cache of compiled files.
ENV TOLLGATE_RUNTIME=/usr/local/bin/bun \
  BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
  DATA_DIR=/data
# The user is a number, so that Kubernetes can see that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "/opt/tollgate/healthcheck.mjs"]
ENTRYPOINT ["tollgate"]
CMD ["serve", "--host", "0.0.0.0"]
