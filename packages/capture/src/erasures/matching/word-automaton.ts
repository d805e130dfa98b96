/** No automaton has as many tokens, so an edge has a key of its own. */
const MAX_TOKENS = 1 << 20;

/**
 * The automaton of Aho and Corasick over words: it finds all sequences of words in a text in one pass. Each word costs constant time
 * on average, however many sequences there are and however much they overlap.
 */
export class WordAutomaton {
  static readonly START = 0;

  readonly #tokens = new Map<string, number>();
  /** The states that follow, by state and token. */
  readonly #edges = new Map<number, number>();
  /** By state: where to go on if no sequence continues. */
  readonly #fallbacks: number[] = [0];
  /** By state: the length of the longest sequence that ends there. */
  readonly #lengths: number[] = [0];

  /** @param sequences words or other tokens, in order; none is empty. */
  constructor(sequences: readonly (readonly string[])[]) {
    /** The states of each depth, with their parents. */
    const levels: { state: number; parent: number; token: number }[][] = [];
    for (const sequence of sequences) {
      let state = WordAutomaton.START;
      for (const [depth, word] of sequence.entries()) {
        let token = this.#tokens.get(word);
        if (token === undefined) this.#tokens.set(word, (token = this.#tokens.size));
        const parent = state;
        const edge = parent * MAX_TOKENS + token;
        const known = this.#edges.get(edge);
        state = known ?? this.#lengths.push(0) - 1;
        if (known !== undefined) continue;
        this.#edges.set(edge, state);
        (levels[depth] ??= []).push({ state, parent, token });
      }
      this.#lengths[state] = sequence.length;
    }
    for (const { state, parent, token } of levels.flat()) {
      const fallback =
        parent === WordAutomaton.START ? parent : this.#follow(this.#fallbacks[parent]!, token);
      this.#fallbacks[state] = fallback;
      this.#lengths[state] ||= this.#lengths[fallback]!;
    }
  }

  /** Returns the state after one more token. */
  next(state: number, token: string): number {
    const known = this.#tokens.get(token);
    return known === undefined ? WordAutomaton.START : this.#follow(state, known);
  }

  /** Returns how many tokens the longest sequence has that ends in a state; 0 if none does. */
  matchLength(state: number): number {
    return this.#lengths[state]!;
  }

  #follow(from: number, token: number): number {
    for (let state = from; ; state = this.#fallbacks[state]!) {
      const next = this.#edges.get(state * MAX_TOKENS + token);
      if (next !== undefined) return next;
      if (state === WordAutomaton.START) return state;
    }
  }
}
