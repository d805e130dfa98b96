import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Screen } from './screen.tsx';

/** Shown for an unknown address, and for an object that this workspace does not have. */
export function NotFoundScreen() {
  return (
    <Screen
      level={1}
      icon={<IconMapQuestion />}
      title="There is nothing here"
      action={
        <Button component={Link} to="/" variant="light">
          To the overview
        </Button>
      }
    >
      The address may be wrong, or the object belongs to another workspace.
    </Screen>
  );
}
