import type { Theme } from './offer.ts';

/** Why distributors and manufacturers buy stock planning. */
export const WAREHOUSE_THEMES: Theme[] = [
  {
    label: 'Stock accuracy',
    problem: 'stock figures that nobody trusts',
    pain: 'Book stock and shelf stock differ by about {percent}% at {company}, so sales promises goods that are not there.',
    today: 'Full counts twice a year, with the sites closed for a day and a half each time.',
    outcome: 'Shelf and book stock within 1% of each other at all times, without closing a site.',
    criterion: 'Count accuracy better than 99% at the pilot site, measured by their own auditors',
    shown: 'Guided counting while picking, with the differences queue and the approval by the shift lead.',
    reaction:
      '{champion} called the differences queue "the thing we have been building in spreadsheets for six years".',
    question: 'Does guided counting work on the handheld scanners we already have, or do we need new ones?',
    answer:
      'It runs on any handheld with a browser. We tested it on your model last week; the list of tested devices is in the implementation plan.',
  },
  {
    label: 'Demand forecast',
    problem: 'orders placed by gut feeling',
    pain: 'Planners at {company} spend {hours} hours a week on forecasts that still miss every promotion.',
    today: 'A forecast per product group in a spreadsheet that only one planner fully understands.',
    outcome: 'Order proposals that planners accept in nine cases out of ten.',
    criterion:
      'A lower forecast error than their planners achieve today, proven on two years of their own history',
    shown:
      "The forecast of one article over two years of {company}'s own sales, with last year's promotion marked.",
    reaction: '{tech} asked for the error by article group before the averages and liked the result.',
    question: 'How much sales history do you need before the forecast beats what our planners do by hand?',
    answer:
      'Eighteen months are enough for most articles; for the long tail we fall back on the article group. The back-test we sent uses your last 24 months.',
  },
  {
    label: 'Transfers between sites',
    problem: 'stock that sits at the wrong site',
    pain: 'The {sites} of {company} order on their own: one throws away what another has run out of.',
    today: 'Transfers are agreed by phone, usually after a customer has complained.',
    outcome: 'Transfers proposed every night, before anybody has to send an express van.',
    criterion: 'Transfer proposals have to respect truck capacity and delivery days of each site',
    shown: 'The nightly transfer run for all {sites}, and why it moved two pallets and not five.',
    reaction: '{buyer} asked to see last Tuesday again, because that was the day of the express vans.',
    question: 'Can a site manager reject a transfer, and do we see that it happened?',
    answer:
      'Yes to both. A rejection needs a reason, and the reasons are in the weekly report, so you can tell a real limit from a habit.',
  },
  {
    label: 'ERP integration',
    problem: 'typing the same figures twice',
    pain: 'Orders are typed twice at {company}, once in the ERP and once in the planning sheet; {percent}% contain a typo.',
    today:
      'Flat files at two in the morning, checked by a script that {tech} wrote and nobody else maintains.',
    outcome: 'Both systems agree within minutes, and a failed transfer raises an alarm by itself.',
    criterion: 'A supported connector to their ERP, with no changes on the ERP side',
    shown:
      'The connector with articles, orders and receipts, and what the monitor shows when a message is rejected.',
    reaction: '{tech} asked sharp questions about retries and duplicates and was happy with the answers.',
    question: 'What happens to orders when our ERP is down for the monthly maintenance?',
    answer:
      'They wait in the connector and go out in order once the ERP is back. Nothing is sent twice; the monitor shows the queue while you wait.',
  },
  {
    label: 'Expiry dates and batches',
    problem: 'goods that expire on the shelf',
    pain: '{company} wrote off {count}k of expired goods last year, most of it in two product groups.',
    today: 'Dates are on the labels but not in the system; pickers take what is in front.',
    outcome: 'First expired, first out in every bay, and a recall list within the hour.',
    criterion: 'Batch tracing that their auditors accept without an extra system',
    shown: 'A recall of one batch from receipt to customer, in four clicks.',
    reaction: 'The quality manager timed the recall with a stopwatch: 40 seconds.',
    question: 'Do you keep batch data for ten years? Our auditors insist on it.',
    answer:
      'Yes, ten years is the default for batch movements and you can extend it. The security paper has the details in section 4.',
  },
];
