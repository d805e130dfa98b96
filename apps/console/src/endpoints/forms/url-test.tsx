import { Button, Stack } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { integrationApi } from '../../api/clients.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { isWholeUrl } from './url-problem.ts';

interface UrlTestProps {
  url: string;
  headers: Record<string, string>;
  /** The endpoint that will use the URL; null for a new one. */
  endpointId: number | null;
}

/** Sends a test event to a URL before an endpoint uses it. */
export function UrlTest({ url, headers, endpointId }: UrlTestProps) {
  const { mutate, data, error, isPending, variables } = integrationApi.useMutation('post', '/webhooks/test');
  // A result is only valid for the tested URL.
  const isCurrent = variables?.body.url === url;
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSend size={14} />}
        loading={isPending}
        disabled={!isWholeUrl(url)}
        onClick={() =>
          mutate({
            body: {
              url,
              ...(Object.keys(headers).length > 0 && { headers }),
              ...(endpointId !== null && { endpointId }),
            },
          })
        }
      >
        Send a test event to this URL
      </Button>
      {isCurrent && data !== undefined && <TestOutcome {...data.data} />}
      {isCurrent && <ProblemNotice error={error} />}
    </Stack>
  );
}
