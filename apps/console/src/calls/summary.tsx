import { List, Stack, Text, Title } from '@mantine/core';
import type { components } from '../api/generated/console.ts';
import { Panel } from '../parts/panel.tsx';
import { inWords } from '../text/deals.ts';
import { playTime } from '../text/play-time.ts';

type Call = components['schemas']['Call'];
type Summary = components['schemas']['CallSummary'];
type TextField = {
  [Field in keyof Summary]: Summary[Field] extends string | null ? Field : never;
}[keyof Summary];
type ListField = { [Field in keyof Summary]: Summary[Field] extends string[] ? Field : never }[keyof Summary];

/** The parts of a summary, in reading order. */
const PARTS: readonly ({ title: string } & ({ text: TextField } | { list: ListField }))[] = [
  { title: 'Company', text: 'company' },
  { title: 'Key takeaways', list: 'keyTakeaways' },
  { title: 'Decisions', list: 'decisions' },
  { title: 'Action items', list: 'actionItems' },
  { title: 'Next steps', list: 'nextSteps' },
  { title: 'Open questions', list: 'openQuestions' },
  { title: 'Pain points', list: 'painPoints' },
  { title: 'Current state', list: 'currentState' },
  { title: 'Desired outcomes', list: 'desiredOutcomes' },
  { title: 'Decision criteria', list: 'decisionCriteria' },
  { title: 'Timeline', text: 'timeline' },
  { title: 'Budget', text: 'budgetSignals' },
  { title: 'Verdict', text: 'qualificationVerdict' },
  { title: 'Why this verdict', text: 'verdictReasoning' },
  { title: 'For the next call', text: 'contextForNextCall' },
  { title: 'Participants', list: 'participants' },
];

/** Shows the AI summary of a call, without empty parts. */
export function SummaryPanel({ call }: { call: Call }) {
  const { summary, status } = call;
  if (summary === null) {
    return (
      <Panel title="Summary">
        <Text c="dimmed" size="sm">
          {status === 'processing'
            ? 'The recording is being processed. The summary follows when that is complete.'
            : status === 'failed'
              ? 'The recording could not be processed, so there is no summary.'
              : 'There is no summary of this call.'}
        </Text>
      </Panel>
    );
  }
  return (
    <Panel
      title="Summary"
      aside={
        summary.schema !== null && (
          <Text size="xs" c="dimmed" ff="monospace">
            {summary.schema}
          </Text>
        )
      }
    >
      <Stack gap="lg" maw="46rem">
        {summary.headline !== null && (
          <Text fz="lg" fw={600}>
            {summary.headline}
          </Text>
        )}
        {PARTS.map((part) => (
          <Part
            key={part.title}
            title={part.title}
            lines={readLines(summary, part)}
            isList={'list' in part}
          />
        ))}
        {summary.topics.length > 0 && (
          <section>
            <Title order={3} size="h5" mb={6}>
              Topics
            </Title>
            <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
              {summary.topics.map((topic) => (
                <li key={`${topic.startSeconds} ${topic.label}`}>
                  <Text size="sm" fw={600} component="div">
                    {topic.label}
                    {topic.startSeconds !== null && (
                      <Text span size="sm" c="dimmed" fw={400} className="tabular">
                        {' '}
                        {playTime(topic.startSeconds)}
                        {topic.endSeconds !== null && ` – ${playTime(topic.endSeconds)}`}
                      </Text>
                    )}
                  </Text>
                  {topic.summary !== null && <Text size="sm">{topic.summary}</Text>}
                </li>
              ))}
            </Stack>
          </section>
        )}
      </Stack>
    </Panel>
  );
}

function Part({ title, lines, isList }: { title: string; lines: readonly string[]; isList: boolean }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      {isList ? (
        <List size="sm" spacing={4} withPadding>
          {lines.map((line, place) => (
            <List.Item key={`${place} ${line}`}>{line}</List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">{lines[0]}</Text>
      )}
    </section>
  );
}

function readLines(summary: Summary, part: (typeof PARTS)[number]): readonly string[] {
  if ('list' in part) return summary[part.list];
  const text = summary[part.text];
  if (text === null) return [];
  return [part.text === 'qualificationVerdict' ? inWords(text) : text];
}
