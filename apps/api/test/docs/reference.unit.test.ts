import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../src/app.ts';
import { documentForReference } from '../../src/docs/reference.ts';
import { describeApi } from '../../src/openapi/document.ts';

const document = describeApi(ROUTES);

describe('the document of the reference', () => {
  const parameter = (name: string): any => {
    const prepared: any = documentForReference(document);
    return prepared.paths['/calls'].get.parameters.find((one: { name: string }) => one.name === name);
  };

  test('has examples of optional parameters that are not sent', () => {
    expect(parameter('cursor').examples.example['x-disabled']).toBe(true);
    expect(parameter('cursor').examples.example.value).toMatch(/^ey/);
    expect(parameter('kind').examples.example).toEqual({ value: 'demo', 'x-disabled': true });
    expect(parameter('buyer_space_id')).not.toHaveProperty('examples');
  });

  test('leaves the published description unchanged', () => {
    const published = document.paths?.['/calls']?.get?.parameters as any[];
    expect(published.some((one) => 'examples' in one)).toBe(false);
    expect((documentForReference(document) as any).components).toBe(document.components);
  });
});
