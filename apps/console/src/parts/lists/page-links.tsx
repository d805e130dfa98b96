import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkAttributes = Omit<ComponentPropsWithRef<'a'>, 'style'>;

/** A link to a page of the console, with typed pages and search parameters. */
export const PageLink = createLink((props: AnchorProps & LinkAttributes) => <Anchor size="sm" {...props} />);

/** The same link as a button. */
export const PageButton = createLink((props: ButtonProps & LinkAttributes) => (
  <Button component="a" {...props} />
));
