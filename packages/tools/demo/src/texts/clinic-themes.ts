import type { Theme } from './offer.ts';

/** Why clinics and care homes buy shift planning. */
export const CLINIC_THEMES: Theme[] = [
  {
    label: 'Building the roster',
    problem: 'rosters that take a week to build',
    pain: 'Ward managers at {company} spend {hours} hours a month each on the roster, most of it in the evening.',
    today: 'A spreadsheet per ward, with wishes collected on paper by the coffee machine.',
    outcome: 'A first draft of the roster in minutes, with the manager deciding only the hard cases.',
    criterion: 'The draft has to respect the wishes of staff, not only the rules',
    shown: 'A roster for one ward from nothing to published, including three wishes that collide.',
    reaction: '{champion} tried the hardest month of last year and got a draft fit to publish.',
    question: 'Can staff enter wishes on their phones, and can we cap them per person?',
    answer: 'Both. The cap is set per ward; most customers start with three wishes a month.',
  },
  {
    label: 'Sick calls',
    problem: 'phoning around at six in the morning',
    pain: 'A sick call before the early shift at {company} costs {count} phone calls on average.',
    today: 'The night shift phones down a list; whoever picks up first comes in.',
    outcome: 'Open shifts offered to the right people at once, agencies only as a last resort.',
    criterion: 'Agency spend down by a third within six months',
    shown: 'A sick call at 05:40 and the shift filled at 05:52, without a single phone call.',
    reaction: '{buyer} asked what it would have saved last winter; the figure is in the follow-up.',
    question: 'Who decides when two people accept the same open shift?',
    answer: 'The first one who fits the rules gets it; the ward manager can switch to manual approval.',
  },
  {
    label: 'Rest times and contracts',
    problem: 'rest-time breaches that only come to light afterwards',
    pain: 'The last audit at {company} found {count} shifts with too little rest between them.',
    today: 'Rules are checked by eye; the exceptions live in the heads of two people.',
    outcome: 'Breaches stopped before publishing, with a record of every exception and its reason.',
    criterion: 'Their whole collective agreement in the rule set, kept up to date by us',
    shown: 'A swap that breaks the eleven-hour rule being refused, and the exception with its approval.',
    reaction: 'The works council wants to read the rule set line by line; {owner} sends it.',
    question: 'Our agreement has two rules of its own for night shifts. Can you represent them?',
    answer: 'Yes, we built both last week; the examples are on page 6 of the implementation plan.',
  },
];
