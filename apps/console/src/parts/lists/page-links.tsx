import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkAttributes = Omit<ComponentPropsWithRef<'a'>, 'style'>;

/** A typed link to a page of the console. */
export const PageLink = createLink((props: AnchorProps & LinkAttributes) => <Anchor size="sm" {...props} />);

/** A typed link that looks like a button. */
export const PageButton = createLink((props: ButtonProps & LinkAttributes) => (
  <Button component="a" {...props} />
));
