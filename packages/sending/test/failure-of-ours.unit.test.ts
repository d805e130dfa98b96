import { expect, test } from '@jest/globals';
import { HostLookupError, isFailureOnOurSide } from '../src/guard/send-error.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });
const wrapped = (cause: Error) => new Error('axios', { cause });

test.each([
  ['DNS does not answer', new HostLookupError('ESERVFAIL'), 'dns'],
  ['there is no route', withCode('ENETUNREACH'), 'network'],
  ['the network is down', withCode('ENETDOWN'), 'network'],
  ['this machine has no address with a route to the host', wrapped(withCode('EADDRNOTAVAIL')), 'network'],
])('the failure is on our side if %s, unless it worked recently', (_what, error, how) => {
  const asked: string[] = [];
  const worksNow = (isWorking: boolean) => (what: string) => {
    asked.push(what);
    return isWorking;
  };
  expect(isFailureOnOurSide(error, worksNow(false))).toBe(true);
  expect(isFailureOnOurSide(error, worksNow(true))).toBe(false);
  expect(asked).toEqual([how, how]);
});

test.each([
  ['a name that does not exist', new HostLookupError('ENOTFOUND')],
  ['silence', withCode('ETIMEDOUT')],
  ['an unreachable host', withCode('EHOSTUNREACH')],
  ['a closed port', withCode('ECONNREFUSED')],
])('%s is a failure of the receiver', (_what, error) => {
  expect(isFailureOnOurSide(error, () => false)).toBe(false);
});
