// Texts about calls that fit every offer. They use the same placeholders as the offers.

/** The texts for one kind of call and its summary. */
export interface CallTalk {
  title: readonly string[];
  headline: readonly string[];
  takeaways: readonly string[];
  decisions: readonly string[];
  actionItems: readonly string[];
  nextSteps: readonly string[];
  openQuestion: string;
  contextForNextCall: string;
  /** The chapters before and after those about the deal's themes: label and summary. */
  opening: readonly [label: string, summary: string];
  closing: readonly (readonly [label: string, summary: string])[];
}

export const TIMELINES = [
  'Decision in {closeMonth}, live at one site by {goLive}, the rest over the following two months.',
  'They want to start before {goLive}; anything later runs into their peak season.',
  'Contract by the end of {closeMonth}, because support for the current system ends in {goLive}.',
] as const;

export const BUDGET_SIGNALS = [
  'A budget line of about {budget} a year exists; anything above it goes to the board.',
  '{finance} mentioned {budget} a year as the order of magnitude and asked for quarterly payment.',
  'No approved budget yet. {champion} believes {budget} can be found if the business case holds.',
] as const;

export const DISCOVERY: CallTalk = {
  title: ['{company}: first conversation', 'Discovery call with {company}'],
  headline: [
    '{company} wants to get rid of {problem} before {goLive}',
    '{champion} is looking for a way out of {problem}; budget likely, decision in {closeMonth}',
  ],
  takeaways: [
    '{champion} owns the problem and has the ear of {buyer}.',
    'The pressure comes from {problem}; {secondTheme} is the second reason, not the first.',
    'They looked at one other vendor two years ago and stopped because of the integration effort.',
  ],
  decisions: [
    'A demo is worth their time; {champion} brings {tech} and two people from the floor.',
    'The demo shows {theme} first and uses their own examples.',
  ],
  actionItems: [
    '{owner} sends the overview and two dates for the demo',
    '{champion} sends a sample of their data for the demo',
    '{champion} checks with {buyer} who needs to be in the room',
  ],
  nextSteps: [
    'Demo for {champion}, {tech} and the floor within two weeks',
    'Short call with {finance} about the business case',
  ],
  openQuestion: 'Who signs: {buyer} alone, or the board above a certain sum?',
  contextForNextCall:
    "Start with {theme} and their own figures: {champion} was put off by another vendor's generic demo.",
  opening: [
    'Introductions',
    'Who is on the call, what {company} does and why {champion} took the meeting now.',
  ],
  closing: [
    ['Budget and timing', 'What is set aside, who decides, and why {goLive} matters.'],
    ['Next steps', 'Dates for the demo and what both sides bring.'],
  ],
};

export const DEMO: CallTalk = {
  title: ['{product} for {company}', 'Demo for {company}: {theme}'],
  headline: [
    '{theme} convinced the floor at {company}; {tech} still wants to see the integration',
    '{champion} asks for a proposal after the demo; {buyer} wants the business case first',
  ],
  takeaways: [
    'The people from the floor asked most of the questions, which {champion} took as a good sign.',
    '{buyer} joined for the last twenty minutes and asked about effort, not about features.',
    'Compared with their shortlist we are ahead in {theme} and level in {secondTheme}.',
  ],
  decisions: [
    'The recording goes into the room, so that those who could not attend can watch it.',
    '{company} continues with two vendors; we are one of them.',
  ],
  actionItems: [
    '{engineer} sends the technical guide and the list of interfaces',
    '{owner} writes the proposal with prices for all {sites}',
    '{champion} collects feedback from everybody who watched, by Friday',
  ],
  nextSteps: [
    'Deep dive with {tech} on the integration',
    'Proposal and business case in the room before the end of the week',
  ],
  openQuestion: 'Which of the {sites} takes the pilot?',
  contextForNextCall:
    'The floor is on our side. The next call has to win over {tech}: show the monitor and the rejected message again.',
  opening: ['Recap and goals', 'What {company} told us, and the three things the demo had to answer.'],
  closing: [
    ['Price and packaging', 'How the price is built per site, and what the first year contains.'],
    ['Questions and next steps', 'Open questions from the floor, and who sends what by when.'],
  ],
};

export const DEEP_DIVE: CallTalk = {
  title: ['Deep dive with {company}', '{company}: technical session'],
  headline: [
    '{tech} is satisfied with the integration; what remains at {company} is the date',
    'Technical questions at {company} answered; procurement takes over in {closeMonth}',
  ],
  takeaways: [
    '{tech} accepts the connector and asks for a sandbox during the pilot.',
    'The pilot is measured by three figures that {champion} named, with {theme} first.',
    'Security review is the longest item: about {days} working days on their side.',
  ],
  decisions: [
    'Six-week pilot at one site, with a written yes or no at the end.',
    'The data processing agreement goes to legal now, in parallel with the pilot.',
  ],
  actionItems: [
    '{tech} opens the firewall for the sandbox',
    '{engineer} sends the answers to the security questionnaire',
    '{owner} updates the proposal to {value} with the agreed scope',
  ],
  nextSteps: [
    'Security questionnaire answered within the week',
    'Proposal reviewed with {buyer} and {finance}',
  ],
  openQuestion: 'Does legal insist on their own terms of purchase?',
  contextForNextCall:
    'From here on it is about terms. {finance} will ask for {discount}% and quarterly payment; agree beforehand on what we want in return.',
  opening: ['Where we stand', 'Feedback on the demo recording and the list of open technical points.'],
  closing: [
    ['Roll-out plan', 'Pilot, training and the order of the {sites}.'],
    ['Commercial points', 'Scope, term, and what {finance} needs for approval.'],
  ],
};

export const DEAL_REVIEW: CallTalk = {
  title: ['Deal review: {company}', 'Internal: {company}, where we stand'],
  headline: [
    '{company} is on course for {closeMonth}, but only {champion} is talking to us',
    'Review of {company}: the value holds at {value}, the date is at risk',
  ],
  takeaways: [
    'We know {champion} well but {finance} hardly at all; the room shows who has not opened anything.',
    'The demo recording is what they open most, and more than once, which we count as a good sign.',
    'The date in {closeMonth} depends on their legal department.',
  ],
  decisions: [
    '{owner} asks {champion} for an introduction to {buyer} this week.',
    'Up to {discount}% for a three-year term, nothing for one year.',
  ],
  actionItems: [
    '{owner} maps the committee and marks who is silent',
    '{engineer} prepares a short recording for {tech} about the integration',
    '{owner} sends {finance} the calculator with their figures filled in',
  ],
  nextSteps: ['Introduction to {buyer}', 'Next review in two weeks, sooner if the contract goes out'],
  openQuestion: 'What does {finance} need to see?',
  contextForNextCall:
    'Open with the silent people in the room: what would it take to get each of them on board?',
  opening: ['State of the deal', 'What happened in the room since the last review.'],
  closing: [['Plan', 'Who does what until the next review.']],
};

export const DISQUALIFICATIONS = [
  ['too_small', 'One site and six people; the effort would never pay for itself.'],
  ['no_need', 'They signed with another vendor last spring and are happy with it.'],
  ['no_budget', 'No budget until the year after next, and nobody who would fight for one.'],
  ['wrong_fit', 'They need a transport system; planning is not their problem.'],
  ['student', 'The call was research for a thesis, with no intention to buy.'],
] as const;
