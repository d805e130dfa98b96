import { Select, Stack, Text } from '@mantine/core';
import { type FormRequest, useRequestForm } from '../../api/request-form.ts';
import { FormEnd } from './form-end.tsx';

const DAY_SECONDS = 86_400;
const OVERLAPS = [
  { value: '0', label: 'None: the old one stops working at once' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '259200', label: '3 days' },
  { value: '604800', label: '7 days' },
];

interface RotationFormProps {
  /** The effect of the rotation. */
  children: string;
  /** The explanation of the overlap. */
  description: string;
  action: string;
  request: FormRequest;
  rotate: (overlapSeconds: number) => void;
  cancel: () => void;
}

/** Asks how long an old secret remains valid after its replacement. */
export function RotationForm({ children, description, action, request, rotate, cancel }: RotationFormProps) {
  const { form, problem } = useRequestForm({ overlapSeconds: String(DAY_SECONDS) }, request);
  return (
    <form onSubmit={form.onSubmit(({ overlapSeconds }) => rotate(Number(overlapSeconds)))}>
      <Stack>
        <Text size="sm">{children}</Text>
        <Select
          label="Overlap"
          description={description}
          data={OVERLAPS}
          allowDeselect={false}
          {...form.getInputProps('overlapSeconds')}
        />
        <FormEnd action={action} error={problem} isPending={request.isPending} cancel={cancel} />
      </Stack>
    </form>
  );
}
