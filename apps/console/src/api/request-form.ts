import { useForm } from '@mantine/form';
import { ApiFailure, asSentence } from './failures.ts';

/** The request that a form sends, as a mutation. */
export interface FormRequest {
  error: unknown;
  isPending: boolean;
  reset: () => void;
}

/**
 * A form with the fields of a request body. An error of the API is shown at the field that it names, until the user edits
 * something.
 *
 * @param toFieldPath maps an input that the API names to a path in the form.
 * @returns the form, and as `problem` an error that belongs to none of its fields; null if there is none.
 */
export function useRequestForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  { error, reset }: FormRequest,
  toFieldPath: (field: string, values: Values) => string = firstPart,
) {
  const refused = error instanceof ApiFailure ? error.field : null;
  const form = useForm<Values>({
    initialValues,
    // The error is about the previous values.
    onValuesChange: reset,
    enhanceGetInputProps: ({ field, form: { values } }) =>
      refused !== null && toFieldPath(refused, values) === field ? { error: aboutField(error, refused) } : {},
  });
  return { form, problem: refused !== null && firstPart(refused) in initialValues ? null : error };
}

/** Returns the name of a list without the index, which means nothing to users. */
export function firstPart(field: string): string {
  return field.split('.', 1)[0] ?? field;
}

/** Returns the message without the field name that it begins with. */
function aboutField(error: unknown, field: string): string {
  const { message } = error as ApiFailure;
  const prefix = `${field}: `;
  return asSentence(message.startsWith(prefix) ? message.slice(prefix.length) : message);
}
