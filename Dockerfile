FROM node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df AS npm
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY static static
RUN npm run build

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS base

FROM base AS python
RUN python -m venv /venv
ENV PATH=/venv/bin:$PATH
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

FROM python AS app
COPY manage.py Procfile pyproject.toml ./
COPY templates templates
COPY portal portal
COPY --from=npm /app/static static
RUN DJANGO_SETTINGS_MODULE=portal.config.build_settings python manage.py messages --compile \
    && DJANGO_SETTINGS_MODULE=portal.config.build_settings python manage.py collectstatic --noinput --verbosity 0 \
    && python -m compileall -q portal

FROM base
# `manage.py backup` and `restore` run pg_dump, pg_restore and psql.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin switchboard \
    && install --directory --owner switchboard --mode 0700 /data /data/metrics
COPY --from=python /venv /venv
COPY --from=app /app /app
WORKDIR /app
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/data \
    WEB_HOST=0.0.0.0 \
    PORT=8000 \
    SANDBOX_PORT=8001 \
    SANDBOX_DATA_DIR=/data/sandbox
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=12s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=10)"]
CMD ["python", "-m", "portal.config.procfile", "web"]
