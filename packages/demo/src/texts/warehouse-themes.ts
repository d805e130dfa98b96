import type { Theme } from './offer.ts';

/** Why distributors and manufacturers buy stock planning. */
export const WAREHOUSE_THEMES: Theme[] = [
  {
    label: 'Stock accuracy',
    problem: 'stock figures that nobody trusts',
    pain: [
      'Book stock and shelf stock differ by about {percent}% at {company}, so sales promises goods that are not there.',
      'Every cycle count at {company} turns up differences of around {percent}%; {champion} finds out when a picker stands in front of an empty bay.',
    ],
    today: [
      'Full counts twice a year, with the sites closed for a day and a half each time.',
      'Cycle counts on paper lists, typed into the ERP the next morning.',
    ],
    outcome: [
      'Shelf and book stock within 1% of each other at all times, without closing a site.',
      'Counts that happen during picking, so the yearly shutdown can go.',
    ],
    criterion: 'Count accuracy better than 99% at the pilot site, measured by their own auditors',
    shown: [
      'Guided counting while picking, with the differences queue and the approval by the shift lead.',
      'How a difference of three cases is found, explained and booked in under a minute.',
    ],
    reaction: [
      '{champion} called the differences queue "the thing we have been building in spreadsheets for six years".',
      'The shift leads want to try guided counting on their own scanners before they believe it.',
    ],
    question: 'Does guided counting work on the handheld scanners we already have, or do we need new ones?',
    answer:
      'It runs on any handheld with a browser. We tested it on your model last week; the list of tested devices is in the implementation plan.',
  },
  {
    label: 'Demand forecast',
    problem: 'orders placed by gut feeling',
    pain: [
      'Planners at {company} spend {hours} hours a week on forecasts that still miss every promotion.',
      'Last season {company} sat on {weeks} weeks of the wrong stock while its best sellers were out.',
    ],
    today: [
      'A forecast per product group in a spreadsheet that only one planner fully understands.',
      'Order proposals come out of the ERP and are overwritten by hand in about half of the cases.',
    ],
    outcome: [
      'Order proposals that planners accept in nine cases out of ten.',
      'A forecast per article and site that knows about promotions four weeks ahead.',
    ],
    criterion:
      'A lower forecast error than their planners achieve today, proven on two years of their own history',
    shown: [
      "The forecast of one article over two years of {company}'s own sales, with last year's promotion marked.",
      'How a planner overrides a proposal, and how the reason is kept for the next season.',
    ],
    reaction: [
      '{tech} asked for the error by article group before the averages and liked the result.',
      'The planners recognised the spring promotion at once, which won over the room.',
    ],
    question: 'How much sales history do you need before the forecast beats what our planners do by hand?',
    answer:
      'Eighteen months are enough for most articles; for the long tail we fall back on the article group. The back-test we sent uses your last 24 months.',
  },
  {
    label: 'Transfers between sites',
    problem: 'stock that sits at the wrong site',
    pain: [
      'The {sites} of {company} order on their own: one throws away what another has run out of.',
      'Express shipments between sites cost {company} about {count}k a quarter.',
    ],
    today: [
      'Transfers are agreed by phone, usually after a customer has complained.',
      'Each site sees its own stock only; the overview is a weekly e-mail.',
    ],
    outcome: [
      'Transfers proposed every night, before anybody has to send an express van.',
      'One view of the stock at all sites that everybody works from.',
    ],
    criterion: 'Transfer proposals have to respect truck capacity and delivery days of each site',
    shown: [
      'The nightly transfer run for all {sites}, and why it moved two pallets and not five.',
      'The map of surplus and shortage, and a transfer order raised from it.',
    ],
    reaction: [
      '{buyer} asked to see last Tuesday again, because that was the day of the express vans.',
      'The site managers worry about losing their safety stock; {champion} will take it up with them.',
    ],
    question: 'Can a site manager reject a transfer, and do we see that it happened?',
    answer:
      'Yes to both. A rejection needs a reason, and the reasons are in the weekly report, so you can tell a real limit from a habit.',
  },
  {
    label: 'ERP integration',
    problem: 'typing the same figures twice',
    pain: [
      'Orders are typed twice at {company}, once in the ERP and once in the planning sheet; {percent}% contain a typo.',
      'A nightly export from the ERP fails about once a week, and {tech} finds out when the planners call.',
    ],
    today: [
      'Flat files at two in the morning, checked by a script that {tech} wrote and nobody else maintains.',
      'No interface at all: planners copy tables out of ERP screens.',
    ],
    outcome: [
      'Both systems agree within minutes, and a failed transfer raises an alarm by itself.',
      'Orders flow back into the ERP without anybody touching them.',
    ],
    criterion: 'A supported connector to their ERP, with no changes on the ERP side',
    shown: [
      'The connector with articles, orders and receipts, and what the monitor shows when a message is rejected.',
      'A purchase order from proposal to ERP number, followed in the log.',
    ],
    reaction: [
      '{tech} asked sharp questions about retries and duplicates and was happy with the answers.',
      'IT wants a sandbox before it signs anything off; {owner} offered one for next week.',
    ],
    question: 'What happens to orders when our ERP is down for the monthly maintenance?',
    answer:
      'They wait in the connector and go out in order once the ERP is back. Nothing is sent twice; the monitor shows the queue while you wait.',
  },
  {
    label: 'Expiry dates and batches',
    problem: 'goods that expire on the shelf',
    pain: [
      '{company} wrote off {count}k of expired goods last year, most of it in two product groups.',
      'When a supplier recalls a batch, it takes {company} {days} days to find out which customers received it.',
    ],
    today: [
      'Dates are on the labels but not in the system; pickers take what is in front.',
      'Batch numbers are kept in a second system for the two groups that have to be traced.',
    ],
    outcome: [
      'First expired, first out in every bay, and a recall list within the hour.',
      'Write-offs halved within a year.',
    ],
    criterion: 'Batch tracing that their auditors accept without an extra system',
    shown: [
      'A recall of one batch from receipt to customer, in four clicks.',
      'The list of what expires in the next thirty days and the mark-down proposals for it.',
    ],
    reaction: [
      'The quality manager timed the recall with a stopwatch: 40 seconds.',
      '{buyer} wanted the write-off figures by site; they are in the follow-up.',
    ],
    question: 'Do you keep batch data for ten years? Our auditors insist on it.',
    answer:
      'Yes, ten years is the default for batch movements and you can extend it. The security paper has the details in section 4.',
  },
  {
    label: 'Supplier lead times',
    problem: 'suppliers who deliver when they like',
    pain: [
      'Two of the five big suppliers of {company} deliver {days} days late on average, and the system still plans with the agreed lead time.',
      'Safety stock at {company} was set once, by hand, and has only ever been raised.',
    ],
    today: [
      'Lead times are typed in when an article is created and never looked at again.',
      'The buyers keep their own lists of who is late.',
    ],
    outcome: [
      'Lead times measured per supplier and article, and safety stock that follows them.',
      'Fifteen per cent less stock at the same availability.',
    ],
    criterion: 'Safety stock has to be explained in words a buyer understands, not only calculated',
    shown: [
      'Actual versus agreed lead times for the twenty largest suppliers.',
      'What the safety stock would be under three service levels, and what each costs.',
    ],
    reaction: [
      'Purchasing wants to take the lead time report into the next supplier talks.',
      '{finance} did the sums on the spot: about {count}k of capital freed up.',
    ],
    question: 'Can we hold the service level at 98.5% for A articles only and go lower elsewhere?',
    answer:
      'Yes, service levels are set per class and site. The calculation we shared uses 98.5 / 96 / 92; change the yellow cells and the stock value follows.',
  },
];
