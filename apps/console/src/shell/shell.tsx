import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import icon from '../icon.svg';
import { LoadingScreen } from '../status-screens/loading-screen.tsx';
import { useSession } from '../session/use-session.ts';
import { ChangeNotice } from './change-notice.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Navigation } from './navigation.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { SearchField } from './search-field.tsx';

/** The frame of every page: the workspace, the navigation, and the page itself. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#content" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <img src={icon} alt="" width={26} height={26} />
            <Text fw={650} visibleFrom="xs">
              Deal Signals
            </Text>
            <Text c="dimmed" truncate visibleFrom="sm">
              {session.company.name}
            </Text>
          </Group>
          <search className="header-search">
            <SearchField />
          </search>
          <Group gap="sm" wrap="nowrap">
            <Text size="sm" visibleFrom="md">
              {session.user.name ?? `User ${session.user.id}`}
            </Text>
            <SchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <ChangeNotice session={session} />
        <Suspense fallback={<LoadingScreen />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
