# Does the same as the entry point of the image postgres:18: creates a cluster, the superuser and the database in an empty
# volume, and runs the scripts in /docker-entrypoint-initdb.d on a server that listens only on its socket.
set -eu
PATH=/opt/postgresql/bin:$PATH
data=/var/lib/postgresql/18/docker
if [ ! -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  pg_ctl --pgdata="$data" --wait --options="-c listen_addresses= -c unix_socket_directories=/run/postgresql" start
  export PGHOST=/run/postgresql PGUSER="$POSTGRES_USER"
  psql --dbname=postgres --command="CREATE DATABASE $POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*.sql; do
    psql --set=ON_ERROR_STOP=1 --dbname="$POSTGRES_DB" --file="$file"
  done
  pg_ctl --pgdata="$data" --wait --mode=fast stop
fi
exec postgres -D "$data" -c 'listen_addresses=*' -c unix_socket_directories=/run/postgresql
