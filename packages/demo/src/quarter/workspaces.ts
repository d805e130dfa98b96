import type { Offer } from '../texts/offer.ts';
import { CLINIC_OFFER, WAREHOUSE_OFFER } from '../texts/offers.ts';

/** A user of a workspace. */
export interface Seller {
  id: number;
  name: string;
  email: string;
  /** The seller's role on calls. */
  role: 'account_executive' | 'solution_engineer' | 'sales_manager';
}

/** One company that sells with Decision Rooms. */
export interface Workspace {
  id: number;
  name: string;
  offer: Offer;
  /** Account executives own deals, solution engineers demonstrate the product, sales managers lead reviews. */
  sellers: readonly Seller[];
}

const LANTERNFELL: Workspace = {
  id: 1001,
  name: 'Lanternfell Software',
  offer: WAREHOUSE_OFFER,
  sellers: [
    { id: 501, name: 'Marta Eklund', email: 'marta.eklund@lanternfell.example', role: 'account_executive' },
    {
      id: 502,
      name: 'Dominic Asante',
      email: 'dominic.asante@lanternfell.example',
      role: 'account_executive',
    },
    {
      id: 503,
      name: 'Shreya Nambiar',
      email: 'shreya.nambiar@lanternfell.example',
      role: 'account_executive',
    },
    {
      id: 504,
      name: 'Callum Dreyfus',
      email: 'callum.dreyfus@lanternfell.example',
      role: 'account_executive',
    },
    { id: 505, name: 'Anneke Vos', email: 'anneke.vos@lanternfell.example', role: 'account_executive' },
    { id: 506, name: 'Teodor Brandt', email: 'teodor.brandt@lanternfell.example', role: 'solution_engineer' },
    { id: 507, name: 'Noor Haddad', email: 'noor.haddad@lanternfell.example', role: 'solution_engineer' },
    { id: 508, name: 'Rebecca Stroud', email: 'rebecca.stroud@lanternfell.example', role: 'sales_manager' },
  ],
};

const PEBBLEWRIGHT: Workspace = {
  id: 1002,
  name: 'Pebblewright',
  offer: CLINIC_OFFER,
  sellers: [
    {
      id: 601,
      name: 'Jonas Feldkamp',
      email: 'jonas.feldkamp@pebblewright.example',
      role: 'account_executive',
    },
    {
      id: 602,
      name: 'Aoife Tierney',
      email: 'aoife.tierney@pebblewright.example',
      role: 'solution_engineer',
    },
    {
      id: 603,
      name: 'Bram Oosterling',
      email: 'bram.oosterling@pebblewright.example',
      role: 'sales_manager',
    },
  ],
};

/** The two demo workspaces: a large one and a small one. */
export const WORKSPACES = [LANTERNFELL, PEBBLEWRIGHT] as const;

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

/** The sellers of a workspace who have a role. */
export function sellersOf(workspace: Workspace, role: Seller['role']): Seller[] {
  return workspace.sellers.filter((seller) => seller.role === role);
}
