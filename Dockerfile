# One file, three images: `--target api` (also serves the built web app), `--target broker`, and `--target home` (everything
# in one container, with the embedded database).
# Node 24 runs the TypeScript sources, so only the web app is built.
FROM node:24-bookworm-slim AS base
WORKDIR /app
ENV TURBO_TELEMETRY_DISABLED=1

# Copies only the manifests first, so that the layer of node_modules changes with the lock file and not with the sources.
FROM base AS manifests
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/broker/package.json apps/broker/
COPY apps/web/package.json apps/web/
COPY packages/client/package.json packages/client/
COPY packages/contracts/package.json packages/contracts/
COPY packages/embedded-mongo/package.json packages/embedded-mongo/
COPY packages/firmware/package.json packages/firmware/
COPY packages/kit/package.json packages/kit/
COPY packages/launcher/package.json packages/launcher/
COPY firmware-sim/package.json firmware-sim/
COPY bench/package.json bench/
COPY e2e/package.json e2e/

FROM manifests AS web
RUN npm ci
COPY turbo.json tsconfig.base.json ./
COPY packages/contracts packages/contracts
COPY packages/kit packages/kit
COPY packages/client packages/client
COPY apps/web apps/web
RUN npm run build

FROM manifests AS api-modules
RUN npm ci --omit=dev --workspace @batti/api --workspace @batti/contracts --workspace @batti/firmware --workspace @batti/kit

FROM manifests AS broker-modules
RUN npm ci --omit=dev --workspace @batti/broker --workspace @batti/contracts --workspace @batti/kit

FROM manifests AS home-modules
RUN npm ci --omit=dev --workspace @batti/launcher --workspace @batti/api --workspace @batti/broker --workspace @batti/firmware-sim --workspace @batti/embedded-mongo --workspace @batti/client --workspace @batti/contracts --workspace @batti/firmware --workspace @batti/kit

FROM base AS broker
ENV NODE_ENV=production MQTT_HOST=0.0.0.0 BROKER_HTTP_HOST=0.0.0.0
COPY --from=broker-modules /app/node_modules node_modules
COPY packages/contracts packages/contracts
COPY packages/kit packages/kit
COPY apps/broker apps/broker
USER node
EXPOSE 8883
CMD ["node", "--max-semi-space-size=8", "apps/broker/src/main.ts"]

FROM base AS home
ENV NODE_ENV=production WEB_DIR=/app/apps/web/dist
COPY --from=home-modules /app/node_modules node_modules
COPY package.json ./
COPY packages packages
COPY apps/api apps/api
COPY apps/broker apps/broker
COPY firmware-sim firmware-sim
COPY docs/reference docs/reference
COPY deploy/backup.sh deploy/delete-old-backups.sh deploy/
COPY --from=web /app/apps/web/dist apps/web/dist
# Bundles the programs, as `npm start` does at its first start; the user of the container could not write them.
RUN node packages/launcher/src/bundle/cli.ts --image
# The parent folder is the volume, so that a restore can replace the folder `data`.
RUN mkdir -p /var/lib/batti/data && chown -R node:node /var/lib/batti
VOLUME /var/lib/batti
USER node
EXPOSE 49998 8883
CMD ["node", "packages/launcher/src/main.ts", "--data", "/var/lib/batti/data", "--lan"]

FROM base AS api
ENV NODE_ENV=production HOST=0.0.0.0 INTERNAL_HOST=0.0.0.0 DATA_DIR=/data WEB_DIR=/app/apps/web/dist
COPY --from=api-modules /app/node_modules node_modules
COPY package.json ./
COPY packages/contracts packages/contracts
COPY packages/firmware packages/firmware
COPY packages/kit packages/kit
COPY apps/api apps/api
COPY docs/reference docs/reference
COPY --from=web /app/apps/web/dist apps/web/dist
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 49998
CMD ["node", "apps/api/src/main.ts"]
