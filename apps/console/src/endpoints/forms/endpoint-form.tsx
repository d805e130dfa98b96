import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type FormRequest, firstPart, useRequestForm } from '../../api/request-form.ts';
import { ProblemNotice } from '../../parts/problem-notice.tsx';
import { type EndpointDraft, toHeaders } from './endpoint-draft.ts';
import { EventChoice } from './event-choice.tsx';
import { FilterField, filterProblem } from './filter-field.tsx';
import { HeaderFields } from './header-fields.tsx';
import { isWholeUrl, urlProblem } from './url-problem.ts';
import { UrlTest } from './url-test.tsx';

const MAX_PER_MINUTE = 10_000;

interface EndpointFormProps {
  /** The initial values. */
  initial: EndpointDraft;
  /** The endpoint to change; null for a new one. */
  endpointId: number | null;
  types: readonly string[];
  /** The label of the submit button. */
  action: string;
  /** The link that leaves the form. */
  cancel: ReactNode;
  request: FormRequest;
  submit: (draft: EndpointDraft) => void;
}

/** The form for a new or existing endpoint. */
export function EndpointForm({
  initial,
  endpointId,
  types,
  action,
  cancel,
  request,
  submit,
}: EndpointFormProps) {
  const { form, problem } = useRequestForm(initial, request, toFieldPath);
  const { url: typed, events, filter, headers } = form.values;
  const url = typed.trim();
  const { error: refusedUrl, ...urlInput } = form.getInputProps('url');
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="lg" className="panel" maw="46rem">
        <Stack gap="xs">
          <TextInput
            label="URL"
            description="Events are sent here by POST. The host must be public, with https."
            placeholder="https://hooks.example.com/deal-signals"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required
            error={urlProblem(url) ?? refusedUrl}
            {...urlInput}
          />
          <UrlTest
            url={url}
            // The values known to the console.
            headers={toHeaders(headers.filter(({ value }) => value !== ''))}
            endpointId={endpointId}
          />
        </Stack>
        <TextInput
          label="Description"
          description="A note for your own use, such as the name of the receiving system."
          {...form.getInputProps('description')}
        />
        <EventChoice
          types={types}
          value={events}
          error={form.getInputProps('events').error}
          onChange={(chosen) => form.setFieldValue('events', chosen)}
        />
        <FilterField
          value={filter}
          failure={request.error}
          onChange={(text) => form.setFieldValue('filter', text)}
        />
        <HeaderFields form={form} isUrlNew={url !== initial.url} />
        <NumberInput
          label="Deliveries per minute"
          description="Maximum deliveries per minute, retries included. Further deliveries wait. Leave empty for no limit."
          maw="24rem"
          min={1}
          max={MAX_PER_MINUTE}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('maxPerMinute')}
          onChange={(value) => form.setFieldValue('maxPerMinute', typeof value === 'number' ? value : '')}
        />
        <Checkbox
          label="Honor Retry-After"
          description="After a 429 or 503, wait as long as the receiver asks if that is later than the schedule, by at most two hours."
          {...form.getInputProps('honorRetryAfter', { type: 'checkbox' })}
        />
        <ProblemNotice error={problem} />
        <Group gap="sm">
          <Button
            type="submit"
            loading={request.isPending}
            disabled={!isWholeUrl(url) || events.length === 0 || filterProblem(filter) !== null}
          >
            {action}
          </Button>
          {cancel}
        </Group>
      </Stack>
    </form>
  );
}

/** Maps a header that the API names to its row in the form. */
function toFieldPath(field: string, { headers }: EndpointDraft): string {
  const row = headers.findIndex(({ name }) => `headers.${name.trim()}` === field);
  return row === -1 ? firstPart(field) : `headers.${row}.name`;
}
