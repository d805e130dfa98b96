import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { stage } from './session/stage.tsx';

/** The product's colour, from the lightest tint to the darkest shade. */
const signal: MantineColorsTuple = [
  '#f0efff',
  '#dedcfb',
  '#bab5f3',
  '#948ceb',
  '#7369e4',
  '#5e53e0',
  '#5347df',
  '#4338c6',
  '#3a31b2',
  '#2f289d',
];

/** Greys of the dark scheme with a touch of the product's colour, from text to the deepest background. */
const dark: MantineColorsTuple = [
  '#d5d5e0',
  '#b9b9c6',
  '#9a9aaa',
  '#6f6f7f',
  '#464653',
  '#363641',
  '#2a2a34',
  '#1c1c24',
  '#17171e',
  '#111116',
];

/** The header of a dialog is not a landmark, because the page already has a banner. */
const dialog = { defaultProps: { attributes: { header: { role: 'presentation' } } } };

/** The theme of the console. */
export const theme = createTheme({
  primaryColor: 'signal',
  primaryShade: { light: 7, dark: 5 },
  colors: { signal, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  defaultRadius: 'md',
  autoContrast: true,
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: dialog,
    Drawer: dialog,
    // The content of a dialog also belongs to the session.
    Portal: { defaultProps: { target: stage } },
    // Contrasts with the page and with panels.
    SegmentedControl: { defaultProps: { bg: 'light-dark(#e9e9f2, #26262f)' } },
  },
});
