import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import request from 'supertest';
import { securityHeaders } from '../../src/http/security-headers.ts';

test('responses have the headers of Helmet', async () => {
  const headersAfter = async (middleware: RequestHandler) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use(middleware, (_request, response) => void response.json({}));
    const { date: _, ...headers } = (await request(app).get('/')).headers;
    return headers;
  };
  const headers = await headersAfter(securityHeaders());
  expect(headers).toEqual(await headersAfter(helmet()));
  expect(headers).toHaveProperty('content-security-policy');
});
