import type { Offer } from '../texts/offer.ts';
import { CLINIC_OFFER, WAREHOUSE_OFFER } from '../texts/offers.ts';

/** A user of a workspace. */
export interface Seller {
  id: number;
  name: string;
  email: string;
  /** The seller's role on calls: account executives own deals, solution engineers demonstrate the product, managers lead reviews. */
  role: 'account_executive' | 'solution_engineer' | 'sales_manager';
}

/** A company that sells with Decision Rooms. */
export interface Workspace {
  id: number;
  name: string;
  offer: Offer;
  sellers: readonly Seller[];
}

/** The two demo workspaces: a large one and a small one. */
export const WORKSPACES: readonly [Workspace, Workspace] = [
  {
    id: 1001,
    name: 'Lanternfell Software',
    offer: WAREHOUSE_OFFER,
    sellers: team(501, 'lanternfell.example', {
      account_executive: ['Marta Eklund', 'Dominic Asante', 'Shreya Nambiar', 'Callum Dreyfus', 'Anneke Vos'],
      solution_engineer: ['Teodor Brandt', 'Noor Haddad'],
      sales_manager: ['Rebecca Stroud'],
    }),
  },
  {
    id: 1002,
    name: 'Pebblewright',
    offer: CLINIC_OFFER,
    sellers: team(601, 'pebblewright.example', {
      account_executive: ['Jonas Feldkamp'],
      solution_engineer: ['Aoife Tierney'],
      sales_manager: ['Bram Oosterling'],
    }),
  },
];

function team(firstId: number, domain: string, names: Record<Seller['role'], string[]>): Seller[] {
  return Object.entries(names)
    .flatMap(([role, own]) => own.map((name) => ({ name, role: role as Seller['role'] })))
    .map(({ name, role }, index) => {
      const email = `${name.toLowerCase().replace(' ', '.')}@${domain}`;
      return { id: firstId + index, name, email, role };
    });
}

/**
 * Returns the demo workspace with an id.
 *
 * @throws Error if the demo has no such workspace.
 */
export function demoWorkspace(companyId: number): Workspace {
  const workspace = WORKSPACES.find(({ id }) => id === companyId);
  if (workspace === undefined) throw new Error(`workspace ${companyId} is not a demo workspace`);
  return workspace;
}

/** Returns the sellers of a workspace who have a role. */
export function sellersOf(workspace: Workspace, role: Seller['role']): Seller[] {
  return workspace.sellers.filter((seller) => seller.role === role);
}
