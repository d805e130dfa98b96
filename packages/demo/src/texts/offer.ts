/**
 * What a workspace sells, told so that every text about a deal can be made of it. Texts may hold placeholders in
 * braces; `dealFacts` says which there are.
 */
export interface Offer {
  /** Name of the product. */
  product: string;
  /** What the product is, after "a". */
  category: string;
  /** Lines of business of prospects: the last word of their name and what they do. */
  industries: { suffix: string; business: string }[];
  /** How the prospect counts its places: "warehouses". */
  sites: string;
  /** Smallest and largest yearly value of a deal, in whole currency units. */
  yearlyValue: readonly [from: number, to: number];
  /** Job titles by part in the decision. */
  titles: Record<BuyingRole, readonly string[]>;
  themes: Theme[];
  library: LibraryDocument[];
  /** What prospects upload themselves. */
  prospectDocuments: Omit<LibraryDocument, 'assetId'>[];
}

/** A buyer's part in the decision. */
export type BuyingRole =
  'champion' | 'decision_maker' | 'technical_evaluator' | 'end_user' | 'finance' | 'procurement' | 'legal';

/** One reason to buy, seen from every call in which it comes up. */
export interface Theme {
  /** Chapter title in a recording. */
  label: string;
  /** The reason as a noun phrase, to complete "wants to get rid of …". */
  problem: string;
  pain: readonly string[];
  today: readonly string[];
  outcome: readonly string[];
  criterion: string;
  /** What a demo shows of it. */
  shown: readonly string[];
  /** How the buyers took it. */
  reaction: readonly string[];
  /** What a buyer asks about it, and what the seller answers. */
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
