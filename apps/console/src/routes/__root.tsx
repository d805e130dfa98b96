import { createRootRoute } from '@tanstack/react-router';
import { Gate } from '../session/gate.tsx';
import { Shell } from '../shell/shell.tsx';

export const Route = createRootRoute({
  component: () => (
    <Gate>
      <Shell />
    </Gate>
  ),
});
