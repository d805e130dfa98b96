import { dateTime } from '@deal-signals/serializers/date-time';
import { z } from 'zod';
import { adminOperation } from '../http/route.ts';

const consoleSession = z
  .object({
    user: z.object({
      id: z.int(),
      name: z.string().nullable().meta({ description: 'Null if the user is not known in the workspace' }),
    }),
    company: z.object({
      id: z.int(),
      name: z.string(),
      apiEnabled: z.boolean().meta({ description: 'Whether the API is enabled for the workspace' }),
    }),
    mayManage: z.boolean().meta({ description: 'Whether the session has the permission `integrations.crm`' }),
    expiresAt: dateTime.meta({ description: 'When the session ends' }),
  })
  .meta({ id: 'ConsoleSession' });

/**
 * `GET /session`: the user, the workspace and the permissions of a session. Every session may use it, so that the console can
 * show what is missing.
 */
export const getSession = adminOperation({
  operationId: 'getSession',
  tag: 'Console',
  summary: 'Get the session',
  description:
    'Returns the user and the workspace of the session, whether the session may manage integrations, and when it ends. No permission is needed.',
  response: consoleSession,
  example: {
    user: { id: 7, name: 'Maren Holt' },
    company: { id: 1001, name: 'Lanternfell Software', apiEnabled: true },
    mayManage: true,
    expiresAt: '2026-09-10T17:00:00.000Z',
  },
  async handler({ session, companyId }, { db }) {
    // Sequential, because a request may use only one connection.
    const company = await db.company.findUniqueOrThrow({ where: { id: companyId }, select: { name: true } });
    const user = await db.user.findUnique({
      where: { companyId_id: { companyId, id: session.userId } },
      select: { name: true },
    });
    return {
      user: { id: session.userId, name: user?.name ?? null },
      company: { id: companyId, name: company.name, apiEnabled: session.company.apiEnabled },
      mayManage: session.mayManage,
      expiresAt: session.expiresAt.toISOString(),
    };
  },
});
