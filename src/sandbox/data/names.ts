/** Words that the sandbox's people, companies and places are made of. */
export const GIVEN_NAMES = [
  ...['Altagracia', 'Ana Mercedes', 'Ángel', 'Anyelina', 'Bienvenido', 'Carmen Rosa', 'Confesor', 'Daurys'],
  ...['Dulce María', 'Emely', 'Esperanza', 'Félix', 'Francisca', 'Frailyn', 'Germania', 'Héctor', 'Yanelis'],
  ...['Ivelisse', 'José Miguel', 'Juana', 'Katherine', 'Leonardo', 'Luis Alberto', 'Manuel', 'Mercedes'],
  ...['Milagros', 'Nelson', 'Niurka', 'Oscar', 'Pedro Julio', 'Rafael', 'Ramona', 'Rosanna', 'Santiago'],
  ...['Starlin', 'Wilkin', 'Yesenia', 'Yokasta', 'Yunior', 'Zoila'],
]

export const SURNAMES = [
  ...['Abreu', 'Acosta', 'Almonte', 'Álvarez', 'Báez', 'Batista', 'Brito', 'Cabrera', 'Camacho', 'Castillo'],
  ...['Contreras', 'Cruz', 'De la Cruz', 'De los Santos', 'Del Rosario', 'Encarnación', 'Espinal', 'Familia'],
  ...['Feliz', 'Fernández', 'Figuereo', 'García', 'Guzmán', 'Henríquez', 'Jiménez', 'Liriano', 'Marte'],
  ...['Matos', 'Mejía', 'Montero', 'Núñez', 'Ogando', 'Paulino', 'Peña', 'Peralta', 'Polanco', 'Reynoso'],
  ...['Rosario', 'Sánchez', 'Santana', 'Suero', 'Taveras', 'Tejada', 'Ureña', 'Valdez', 'Vásquez'],
]

export const TRADES = [
  ...[
    'Ferretería',
    'Farmacia',
    'Distribuidora',
    'Agroindustrial',
    'Constructora',
    'Importadora',
    'Panadería',
  ],
  ...['Laboratorio Clínico', 'Transporte', 'Inversiones', 'Comercial', 'Textiles', 'Imprenta', 'Repuestos'],
  ...['Consultores', 'Supermercado', 'Colmado', 'Servicios Eléctricos', 'Seguridad', 'Informática'],
]

export const COMPANY_NAMES = [
  ...[
    'del Cibao',
    'La Altagracia',
    'El Progreso',
    'Quisqueya',
    'Duarte',
    'Ozama',
    'Caribe',
    'Bonao',
    'Yaque',
  ],
  ...['San Juan', 'La Nueva Unión', 'Los Prados', 'Enriquillo', 'Samaná', 'Jarabacoa', 'Monte Plata'],
  ...['El Buen Precio', 'Tres Hermanos', 'Boca Chica', 'Baní', 'Ocoa', 'Valle Nuevo', 'Puerto Plata'],
]

export const COMPANY_FORMS = ['SRL', 'SRL', 'SRL', 'SAS', 'SA', 'EIRL']

export const GOVERNMENT_BODIES = [
  ...['Ayuntamiento Municipal de', 'Junta Distrital de', 'Hospital Provincial de', 'Liceo Público de'],
  ...['Acueducto Municipal de', 'Dirección Provincial de Salud de'],
]

export const FREE_ZONE_NAMES = [
  ...['Manufacturas', 'Ensamblados', 'Tabacalera', 'Dispositivos Médicos', 'Calzados', 'Confecciones'],
]

export const FOREIGN_COMPANIES = [
  ...[
    'Northwind Trading LLC',
    'Blue Harbor Foods Inc.',
    'Costa Brava Importaciones SL',
    'Lakeside Software Ltd',
  ],
  ...[
    'Gulfstream Packaging Corp.',
    'Rheinland Maschinen GmbH',
    'Andes Café Company',
    'Bayfront Logistics LLC',
  ],
  ...[
    'Meridian Cloud Services Inc.',
    'Atlantic Produce BV',
    'Summit Design Studio LLC',
    'Palmetto Freight Inc.',
  ],
]

export const FOREIGN_ADDRESSES = [
  ...['1200 Harbor Blvd, Miami, FL', '48 Market Street, Newark, NJ', 'Calle Mayor 14, Valencia'],
  ...['Industriestraße 9, Köln', '77 Front Street, Toronto, ON', 'Keizersgracht 201, Amsterdam'],
]

export const STREETS = [
  ...['Av. 27 de Febrero', 'Av. Winston Churchill', 'Calle El Conde', 'Av. Máximo Gómez', 'Calle Duarte'],
  ...[
    'Av. Estrella Sadhalá',
    'Calle del Sol',
    'Av. Independencia',
    'Calle Padre Billini',
    'Av. Las Carreras',
  ],
  ...['Calle Sánchez', 'Av. San Vicente de Paúl', 'Carretera Mella', 'Calle Mella', 'Av. Libertad'],
]

export const TOWNS = [
  ...['Santo Domingo', 'Santo Domingo Este', 'Santiago de los Caballeros', 'La Vega', 'San Cristóbal'],
  ...['San Pedro de Macorís', 'La Romana', 'Higüey', 'Moca', 'Bonao', 'Puerto Plata', 'Barahona', 'Azua'],
  ...['San Francisco de Macorís', 'Baní', 'Nagua', 'Mao'],
]
