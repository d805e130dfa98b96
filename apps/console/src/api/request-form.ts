import { useForm } from '@mantine/form';
import { ApiFailure, asSentence } from './failures.ts';

/** The request that a form makes, as a mutation. */
export interface FormRequest {
  error: unknown;
  isPending: boolean;
  reset: () => void;
}

/**
 * A form with the fields of the body of a request. What the API refuses is shown at the field that its error names, until
 * something is edited.
 *
 * @param placeOf finds the path in the form of an input that the API names.
 * @returns the form, and as `problem` an error that belongs to none of its fields; null without one.
 */
export function useRequestForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  { error, reset }: FormRequest,
  placeOf: (field: string, values: Values) => string = firstPart,
) {
  const refused = error instanceof ApiFailure ? error.field : null;
  const form = useForm<Values>({
    initialValues,
    // An error is about what was there before.
    onValuesChange: reset,
    enhanceGetInputProps: ({ field, form: { values } }) =>
      refused !== null && placeOf(refused, values) === field ? { error: aboutField(error, refused) } : {},
  });
  return { form, problem: refused !== null && firstPart(refused) in initialValues ? null : error };
}

/** A place in a list says nothing to those who do not see the list. */
export function firstPart(field: string): string {
  return field.split('.', 1)[0] ?? field;
}

/** The message without the name of the field that it begins with. */
function aboutField(error: unknown, field: string): string {
  const { message } = error as ApiFailure;
  const prefix = `${field}: `;
  return asSentence(message.startsWith(prefix) ? message.slice(prefix.length) : message);
}
