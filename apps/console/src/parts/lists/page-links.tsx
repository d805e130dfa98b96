import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkAttributes = Omit<ComponentPropsWithRef<'a'>, 'style'>;

/** A link to a page of the console, which knows the pages and what is in their addresses. */
export const PageLink = createLink((props: AnchorProps & LinkAttributes) => <Anchor size="sm" {...props} />);

/** Such a link that looks like a button. */
export const PageButton = createLink((props: ButtonProps & LinkAttributes) => (
  <Button component="a" {...props} />
));
