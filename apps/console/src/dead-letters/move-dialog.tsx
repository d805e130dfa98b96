import { Alert, Button, Group, List, Modal, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { errorSentence } from '../api/failures.ts';
import { queries } from '../api/queries.ts';
import { type Endpoint, endpointHost, endpointPath } from '../endpoints/endpoint.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { boundedCount, count } from '../text/numbers.ts';
import { type Action, type CountedSelection, moveDeadLetters, type Selection } from './move.ts';
import { useCounts } from './use-counts.ts';

interface MoveDialogProps {
  action: Action;
  selections: readonly Selection[];
  endpoints: readonly Endpoint[];
  isOpen: boolean;
  close: () => void;
}

/** The progress of the requests. */
type Progressing = {
  moved: number;
  /** The number of dead letters to move. */
  total: number;
  /** False if the count stopped at its maximum. */
  isExact: boolean;
  isDone: boolean;
  error: unknown;
  stop: () => void;
};

/** Shows which dead letters will be retried or dismissed, and how many. Moves them only after confirmation. */
export function MoveDialog({ action, selections, endpoints, isOpen, close }: MoveDialogProps) {
  const [progress, setProgress] = useState<Progressing | null>(null);
  const { counts, error } = useCounts(selections, isOpen && progress === null);
  const total = counts?.reduce((sum, one) => sum + one.count, 0) ?? 0;
  const isExact = counts?.every((one) => one.isExact) ?? true;
  const start = async () => {
    if (counts === undefined) return;
    const stopping = new AbortController();
    const shown = { moved: 0, total, isExact, isDone: false, error: null, stop: () => stopping.abort() };
    setProgress(shown);
    let moved = 0;
    const report = (sum: number) => {
      moved = sum;
      setProgress({ ...shown, moved });
    };
    const failure: unknown = await moveDeadLetters(action, counts, report, stopping.signal).then(
      () => null,
      (reason: unknown) => reason,
    );
    setProgress({ ...shown, moved, isDone: true, error: failure });
    void queries.invalidateQueries();
  };
  const end = () => {
    progress?.stop();
    setProgress(null);
    close();
  };
  const verb = action === 'retry' ? 'Retry' : 'Dismiss';
  return (
    <Modal
      opened={isOpen}
      onClose={end}
      title={`${verb} dead letters`}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {progress !== null ? (
        <Moving action={action} progress={progress} close={end} />
      ) : (
        <Stack>
          {counts === undefined ? (
            error === null ? (
              <Skeleton height={80} role="status" aria-label="Counting" />
            ) : (
              <ProblemNotice error={error} />
            )
          ) : (
            <Meaning
              action={action}
              counts={counts}
              endpoints={endpoints}
              total={boundedCount(total, isExact)}
            />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={end}>
              Cancel
            </Button>
            <Button
              color={action === 'dismiss' ? 'red.9' : 'signal'}
              disabled={total === 0}
              onClick={() => void start()}
            >
              {total === 0 ? verb : `${verb} ${boundedCount(total, isExact)}`}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** The maximum up to which the API counts the dead letters of an endpoint. */
const MAX_COUNTED = 50_000;

interface MeaningProps {
  action: Action;
  counts: readonly CountedSelection[];
  endpoints: readonly Endpoint[];
  total: string;
}

function Meaning({ action, counts, endpoints, total }: MeaningProps) {
  if (counts.length === 0)
    return <Text size="sm">There are no dead letters in this selection any more.</Text>;
  const isExact = counts.every((one) => one.isExact);
  const nouns = total === '1' ? 'delivery' : 'deliveries';
  return (
    <Stack gap="xs">
      <Text size="sm">
        {action === 'retry'
          ? `${total} ${nouns} become due at once, each with a new schedule of attempts:`
          : `${total} ${nouns} are no longer counted as dead letters, and no longer retried with the others. They stay in the log, where each can still be retried:`}
      </Text>
      {!isExact && (
        <Text size="sm">
          The count stops at {count(MAX_COUNTED)} per endpoint. All dead letters are processed, and you can
          stop at any time.
        </Text>
      )}
      <List size="sm" spacing={4}>
        {counts.map(({ selection, count: own, isExact: isOwnExact }) => {
          const endpoint = endpoints.find(({ id }) => id === selection.endpointId);
          return (
            <List.Item key={selection.endpointId} className="breakable">
              <strong>{boundedCount(own, isOwnExact)}</strong>
              {action === 'retry' ? ' to ' : ' of '}
              {endpoint === undefined
                ? `endpoint ${selection.endpointId}`
                : endpointHost(endpoint.url) + endpointPath(endpoint.url)}
              {selection.error === null && ', without an error'}
              {typeof selection.error === 'string' && `, error “${selection.error}”`}
              {action === 'retry' &&
                endpoint?.enabled === false &&
                '. It is disabled: they wait until it is enabled'}
            </List.Item>
          );
        })}
      </List>
    </Stack>
  );
}

function Moving({ action, progress, close }: { action: Action; progress: Progressing; close: () => void }) {
  const { moved, total, isExact, isDone, error, stop } = progress;
  // The number of dead letters beyond the count is unknown, so the progress has no end.
  const isPastTotal = !isDone && !isExact && moved >= total;
  const past = action === 'retry' ? 'are pending again' : 'are dismissed';
  return (
    <Stack>
      <Progress.Root size="lg">
        <Progress.Section
          value={isDone && error === null ? 100 : Math.min(100, (100 * moved) / Math.max(1, total))}
          animated={isPastTotal}
          aria-label="Progress"
        />
      </Progress.Root>
      <Text size="sm" role="status">
        {isDone
          ? `Done: ${count(moved)} ${moved === 1 ? past.replace('are', 'is') : past}.`
          : isPastTotal
            ? `${count(moved)} ${past}, and there may be more …`
            : `${count(moved)} of ${boundedCount(total, isExact)} ${past} …`}
      </Text>
      {error !== null && (
        <Alert color="red" role="alert" title="It stopped early">
          {errorSentence(error)}
        </Alert>
      )}
      <Group justify="flex-end">
        {isDone ? (
          <Button onClick={close} data-autofocus>
            Close
          </Button>
        ) : (
          <Button variant="default" onClick={stop}>
            Stop here
          </Button>
        )}
      </Group>
    </Stack>
  );
}
