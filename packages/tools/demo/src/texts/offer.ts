/**
 * What a workspace sells, and the building blocks for every text about its deals. Texts may contain placeholders in
 * braces, which `dealFacts` defines.
 */
export interface Offer {
  /** Name of the product. */
  product: string;
  /** Industries of the prospects: the last word of the company name, and what the company does. */
  industries: { suffix: string; business: string }[];
  /** What the prospect calls its sites, such as "warehouses". */
  sites: string;
  /** Smallest and largest yearly value of a deal, in whole currency units. */
  yearlyValue: readonly [from: number, to: number];
  /** Job titles by role in the decision. */
  titles: Record<BuyingRole, readonly string[]>;
  themes: Theme[];
  library: LibraryDocument[];
  /** Documents that prospects upload. */
  prospectDocuments: Omit<LibraryDocument, 'assetId'>[];
}

/** A buyer's role in the decision. */
export type BuyingRole =
  'champion' | 'decision_maker' | 'technical_evaluator' | 'end_user' | 'finance' | 'procurement' | 'legal';

/** One reason to buy, with texts for every call in which it comes up. */
export interface Theme {
  /** Chapter title in a recording. */
  label: string;
  /** The reason as a noun phrase, to complete "wants to get rid of …". */
  problem: string;
  pain: string;
  today: string;
  outcome: string;
  criterion: string;
  /** What a demo shows about it. */
  shown: string;
  /** How the buyers reacted to the demo of it. */
  reaction: string;
  /** A buyer's question about it, and the seller's answer. */
  question: string;
  answer: string;
}

/** A document that sellers share. */
export interface LibraryDocument {
  assetId: string;
  title: string;
  category: string;
  pages: number;
}
