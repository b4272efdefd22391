# One image for web, worker and beat.
FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1
WORKDIR /app

COPY requirements.txt ./
RUN pip install --no-deps --require-hashes -r requirements.txt

COPY . .
RUN SECRET_KEY=build python -m django collectstatic --noinput --settings heydpe.settings \
    && useradd --system --uid 10001 heydpe \
    && mkdir /data && chown heydpe /data
USER heydpe
VOLUME /data
EXPOSE 8000

CMD ["uvicorn", "heydpe.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--no-proxy-headers"]
