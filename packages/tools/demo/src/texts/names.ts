/** First names of people in the demo. */
// prettier-ignore
export const FIRST_NAMES = [
  'Amara', 'Anton', 'Beatriz', 'Birgit', 'Caspian', 'Chiara', 'Dagny', 'Darius', 'Deepa', 'Elif', 'Emeka', 'Fenna',
  'Florian', 'Freya', 'Giulia', 'Gareth', 'Hana', 'Henrik', 'Imogen', 'Ines', 'Ivo', 'Jelena', 'Joris', 'Kaito',
  'Katarzyna', 'Kwame', 'Leila', 'Linus', 'Lucía', 'Magnus', 'Maren', 'Mateus', 'Mei', 'Nadia', 'Niamh', 'Oisín',
  'Oluchi', 'Pavel', 'Priya', 'Quentin', 'Rasmus', 'Renske', 'Rosalind', 'Samir', 'Saoirse', 'Selma', 'Stellan',
  'Tamsin', 'Tariq', 'Thandiwe', 'Tomasz', 'Ursula', 'Valeria', 'Viggo', 'Wanda', 'Xiomara', 'Yannick', 'Yusuf',
  'Zofia', 'Zoltán',
];

/** Family names of people in the demo. */
// prettier-ignore
export const FAMILY_NAMES = [
  'Abernethy', 'Achterberg', 'Adeyemi', 'Almqvist', 'Bancroft', 'Beaumont', 'Bielski', 'Bordeleau', 'Brannigan',
  'Castellano', 'Chowdhury', 'Cresswell', 'Dahlgren', 'Delacroix', 'Ekström', 'Fairweather', 'Farrugia', 'Ferreira',
  'Gallagher', 'Grünwald', 'Haverkamp', 'Hollingworth', 'Ibarra', 'Iwasaki', 'Jankowski', 'Kallweit', 'Karlsen',
  'Kovács', 'Lachapelle', 'Lindqvist', 'Mahoney', 'Marchetti', 'Mbeki-Rowe', 'Moreau', 'Nakagawa', 'Nørgaard',
  'Odhiambo', 'Okonjo', 'Ostermann', 'Pemberton', 'Petrović', 'Quaresma', 'Rahimi', 'Rautio', 'Sandoval',
  'Schönfeld', 'Sutherby', 'Szymański', 'Takahara', 'Thistlewood', 'Tremblay', 'Uddin', 'Vandermeer', 'Vasquez',
  'Whitlock', 'Wierzba', 'Yamashiro', 'Yilmaz', 'Zanetti', 'Zeilinger',
];

/** First words of invented company names. */
// prettier-ignore
export const COMPANY_NAMES = [
  'Alderbrook', 'Arkwell', 'Bramwick', 'Brackenhill', 'Calderstone', 'Cragmoor', 'Dunsmere', 'Dovermoor', 'Eastwyck',
  'Elmsford Vale', 'Farrowgate', 'Fennimore', 'Fjellmark', 'Gullhaven', 'Harrowmere', 'Hollenbach', 'Ironbeck',
  'Juniper Row', 'Kestrelmoor', 'Kingsmarrow', 'Lindfall', 'Lowenthal', 'Marrowstone', 'Millrace', 'Nethercote',
  'Oakhurst Bay', 'Ostervale', 'Pellworth', 'Quenby', 'Ravensmoor', 'Rookery', 'Saltmarsh', 'Solvane', 'Stonegarth',
  'Tamarisk', 'Tillendale', 'Underhill', 'Vantrey', 'Wexholm', 'Yarrowdale',
];
