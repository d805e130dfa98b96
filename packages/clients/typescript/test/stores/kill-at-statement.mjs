// Preloaded into a process (`--import`): kills it before a statement to SQLite, to simulate a crash. KILL_AT_STATEMENT is the
// number of that statement, from 1.

let left = Number(process.env.KILL_AT_STATEMENT);

function count() {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

/** Returns the class of the databases that the client uses here. */
async function databaseClass() {
  try {
    return (await import('node:sqlite')).DatabaseSync;
  } catch {
    return (await import('libsql')).default;
  }
}

const { prototype } = await databaseClass();
const { exec, prepare } = prototype;
prototype.exec = function (sql) {
  count();
  return exec.call(this, sql);
};
prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  for (const name of ['run', 'get']) {
    const original = statement[name].bind(statement);
    statement[name] = (...values) => {
      count();
      return original(...values);
    };
  }
  return statement;
};
