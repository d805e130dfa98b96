import { expect, test } from '@jest/globals';
import { readTraceparent } from '../../src/capture/traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  ['a sampled trace', `00-${TRACE}-${SPAN}-01`, '01'],
  ['a trace that is not sampled', `00-${TRACE}-${SPAN}-00`, '00'],
  ['a sampled trace with unknown flags', `00-${TRACE}-${SPAN}-ff`, '01'],
  ['a trace with unknown flags', `00-${TRACE}-${SPAN}-fe`, '00'],
  ['a later version', `cc-${TRACE}-${SPAN}-01`, '01'],
  ['a later version with a suffix', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, '01'],
])('accepts %s', (_what, header, flags) => {
  expect(readTraceparent(header)).toBe(`00-${TRACE}-${SPAN}-${flags}`);
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['the invalid version', `ff-${TRACE}-${SPAN}-01`],
  ['a suffix after version 00', `00-${TRACE}-${SPAN}-01-more`],
  ['a suffix after a later version, without a hyphen', `cc-${TRACE}-${SPAN}-01.more`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['no flags', `00-${TRACE}-${SPAN}`],
  ['other text in front', `x00-${TRACE}-${SPAN}-01`],
])('ignores %s', (_what, header) => {
  expect(readTraceparent(header)).toBeUndefined();
});
