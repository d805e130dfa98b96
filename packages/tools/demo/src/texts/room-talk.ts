// Messages, plan items and comments of a Decision Room. They use the same placeholders as the offers.

/** A buyer's message in the conversation and the seller's reply. */
export type Exchange = readonly [question: string, answer: string];

export const OPENING_EXCHANGES: readonly Exchange[] = [
  [
    'Thanks for setting this up. I have invited {tech} and {finance}; they will look around this week.',
    'Great, {champion}. The recording is at the top, and with the chapters they can jump to what matters to them.',
  ],
  [
    'The recording was helpful, I could not join live. Is there a shorter version for our board?',
    'Chapter 2 alone tells the story in six minutes. I put a link to it at the top of the list.',
  ],
];

export const EVALUATION_EXCHANGES: readonly Exchange[] = [
  [
    'Could you give us a reference we can call? Ideally a {business} like us.',
    'Yes. I asked one of our customers and they are happy to talk on Thursday or Friday. Which suits you?',
  ],
  [
    'The price is per site, correct? We may open another one next year and would like to know what it adds.',
    'Per site, yes. I added a second page with the price for up to three more; it goes down with each one.',
  ],
  [
    'We uploaded our questionnaire. {tech} needs the answers before the review on Monday.',
    '{engineer} is on it; you will have them by Friday noon. There are two questions we would like to discuss by phone.',
  ],
  [
    'Who from your side would be with us during the first weeks?',
    '{engineer} for the first six weeks, two days of them on site. After that our service team, with a name and a number.',
  ],
];

export const CONTRACT_EXCHANGES: readonly Exchange[] = [
  [
    'Legal would like to change the notice period to three months and add our terms for travel costs.',
    'Both are fine for us. The new draft is in the documents, with the changes marked.',
  ],
  [
    '{buyer} is travelling until Wednesday. Can the signature wait until then?',
    'Of course. The request stays valid for 30 days, and {buyer} can sign on a phone.',
  ],
];

/** The last message of a deal, which stays without a reply. */
export const LAST_WORDS: Record<'lost' | 'dormant', readonly string[]> = {
  lost: [
    'We decided to stay with what we have for another year. It was close; thank you for all your work.',
    'The board went with the other vendor, mainly because of the price. I am sorry, we would have chosen you.',
  ],
  dormant: [
    'Hi {champion}, is there anything we can do to help you move this forward?',
    '{champion}, I know you are in the middle of the budget round. Shall we talk again once it is over?',
  ],
};

/** The mutual action plan: what to do, who does it, and when it is due, from 0 (first call) to 1 (close). */
export const ACTION_PLAN: readonly { title: string; by: 'prospect' | 'seller'; due: number }[] = [
  { title: 'Sign the confidentiality agreement', by: 'prospect', due: 0.1 },
  { title: 'Send sample data for the demo', by: 'prospect', due: 0.18 },
  { title: 'Share the demo recording with everyone involved', by: 'seller', due: 0.3 },
  { title: 'Collect feedback from the floor', by: 'prospect', due: 0.38 },
  { title: 'Answer the security questionnaire', by: 'seller', due: 0.5 },
  { title: 'Set up the sandbox with {tech}', by: 'seller', due: 0.55 },
  { title: 'Agree on how to measure the pilot', by: 'prospect', due: 0.62 },
  { title: 'Business case reviewed by {finance}', by: 'prospect', due: 0.7 },
  { title: 'Contract draft to legal', by: 'seller', due: 0.8 },
  { title: 'Signature by {buyer}', by: 'prospect', due: 0.97 },
  { title: 'Kick-off date fixed', by: 'seller', due: 1 },
];

/** Buyers' comments on a moment of a recording. */
export const COMMENTS = [
  'This is exactly our Monday morning.',
  'Can we see this with our own data?',
  '@{tech} please have a look at this part, is that possible with our set-up?',
  'How long does this take with ten times the volume?',
  'I would like to show this to the night shift.',
  'What does this cost per site?',
] as const;
