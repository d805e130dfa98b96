import { Button, Group } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { acceptOffer, declineOffer } from '../session/offer.ts';
import { type Offer, type Session, sessionOwner } from '../session/session.ts';
import { Screen } from './screen.tsx';

/** Asks whether the user wants the session of a link, because anyone can create such a link. */
export function OfferedSessionScreen({ offer, session }: { offer: Offer; session: Session }) {
  const { user, company } = session;
  const present = sessionOwner();
  return (
    <Screen
      level={1}
      icon={<IconShieldLock />}
      title={`Continue as ${user.name ?? `user ${user.id}`} in ${company.name}?`}
      action={
        <Group gap="sm" justify="center">
          <Button variant="default" onClick={declineOffer}>
            {present === null ? 'Do not continue' : `Stay in ${present.company.name}`}
          </Button>
          <Button onClick={() => acceptOffer(offer, session)}>Continue</Button>
        </Group>
      }
    >
      This session comes from a link. Continue only if this is you and your workspace: everything that you
      enter here, such as URLs and secret headers, is visible to that workspace.
    </Screen>
  );
}
