import { CLINIC_THEMES } from './clinic-themes.ts';
import type { Offer } from './offer.ts';
import { WAREHOUSE_THEMES } from './warehouse-themes.ts';

/** Stock planning for distributors and manufacturers. */
export const WAREHOUSE_OFFER: Offer = {
  product: 'Lanternfell Planning',
  industries: [
    { suffix: 'Foods', business: 'food wholesaler' },
    { suffix: 'Components', business: 'maker of machine components' },
    { suffix: 'Wholesale', business: 'wholesaler of building supplies' },
    { suffix: 'Medical Supply', business: 'distributor of medical supplies' },
    { suffix: 'Tools', business: 'maker of hand tools' },
    { suffix: 'Logistics', business: 'logistics provider' },
    { suffix: 'Furniture', business: 'furniture maker' },
    { suffix: 'Packaging', business: 'packaging manufacturer' },
  ],
  sites: 'warehouses',
  yearlyValue: [38_000, 320_000],
  titles: {
    champion: ['Head of Supply Chain', 'Director of Operations', 'Head of Inventory Planning'],
    decision_maker: ['Chief Operating Officer', 'Managing Director', 'VP Operations'],
    technical_evaluator: ['Head of IT Applications', 'ERP Lead', 'Integration Architect'],
    end_user: ['Demand Planner', 'Warehouse Manager', 'Shift Lead', 'Purchasing Manager'],
    finance: ['Chief Financial Officer', 'Finance Controller'],
    procurement: ['Procurement Manager', 'Category Buyer, Software'],
    legal: ['General Counsel', 'Contracts Manager'],
  },
  themes: WAREHOUSE_THEMES,
  library: [
    { assetId: 'lib-1001', title: 'Lanternfell in ten pages', category: 'overview', pages: 10 },
    { assetId: 'lib-1002', title: 'Security and data protection', category: 'security', pages: 24 },
    { assetId: 'lib-1003', title: 'Implementation plan, 90 days', category: 'implementation', pages: 14 },
    {
      assetId: 'lib-1004',
      title: 'How a food wholesaler halved its write-offs',
      category: 'case_study',
      pages: 6,
    },
    { assetId: 'lib-1005', title: 'ERP connector: technical guide', category: 'technical', pages: 38 },
    { assetId: 'lib-1006', title: 'Pricing proposal', category: 'pricing', pages: 5 },
    { assetId: 'lib-1007', title: 'Business case calculator', category: 'pricing', pages: 3 },
    { assetId: 'lib-1008', title: 'Data processing agreement', category: 'legal', pages: 17 },
  ],
  prospectDocuments: [
    { title: 'IT security questionnaire', category: 'security', pages: 12 },
    { title: 'Requirements for stock planning', category: 'requirements', pages: 9 },
    { title: 'Site list and opening times', category: 'requirements', pages: 2 },
    { title: 'Our general terms of purchase', category: 'legal', pages: 8 },
  ],
};

/** Shift planning for clinics and care homes. */
export const CLINIC_OFFER: Offer = {
  product: 'Pebblewright Roster',
  industries: [
    { suffix: 'Care Homes', business: 'provider of residential care' },
    { suffix: 'Clinics', business: 'group of clinics' },
    { suffix: 'Rehabilitation', business: 'provider of rehabilitation' },
  ],
  sites: 'wards',
  yearlyValue: [9_000, 54_000],
  titles: {
    champion: ['Director of Nursing', 'Head of Staffing'],
    decision_maker: ['Managing Director', 'Clinical Director'],
    technical_evaluator: ['IT Manager', 'Head of Digital Services'],
    end_user: ['Ward Manager', 'Team Lead, Night Shift', 'Roster Planner'],
    finance: ['Head of Payroll', 'Finance Manager'],
    procurement: ['Purchasing Manager'],
    legal: ['Chair of the Works Council', 'Data Protection Officer'],
  },
  themes: CLINIC_THEMES,
  library: [
    { assetId: 'lib-2001', title: 'Pebblewright at a glance', category: 'overview', pages: 8 },
    { assetId: 'lib-2002', title: 'Data protection for staff data', category: 'security', pages: 16 },
    { assetId: 'lib-2003', title: 'From contract to first roster', category: 'implementation', pages: 7 },
    { assetId: 'lib-2004', title: 'Quotation', category: 'pricing', pages: 3 },
  ],
  prospectDocuments: [
    { title: 'Collective agreement, working times', category: 'requirements', pages: 31 },
    { title: 'Current roster, ward 3', category: 'requirements', pages: 2 },
  ],
};
